import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './join-shell.module.css';

const LOOK_EVERY_MS = 250;

/** The browser's reader of codes, which TypeScript does not know. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

function detectorClass(): DetectorClass | undefined {
  return (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
}

/** Whether the browser reads QR codes and has a camera to do so. It offers cameras on secure addresses only. */
function useCanScan(): boolean {
  const [canScan, setCanScan] = useState(false);
  useEffect(() => {
    let isWanted = true;
    const Detector = 'mediaDevices' in navigator ? detectorClass() : undefined;
    Detector?.getSupportedFormats().then(
      (supported) => isWanted && setCanScan(supported.includes('qr_code')),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return canScan;
}

/** A button that opens the camera until it sees a QR code. Nothing where the browser cannot do so. */
export function CodeScanner({ onFound }: { onFound: (text: string) => void }) {
  const canScan = useCanScan();
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (!canScan) {
    return null;
  }
  return (
    <div className={classes.scanner}>
      {isOpen ? (
        <Camera
          onFound={(text) => {
            setIsOpen(false);
            onFound(text);
          }}
          onFailed={() => {
            setIsOpen(false);
            setProblem('The camera cannot be used. Allow it in the browser, or enter the code.');
          }}
        />
      ) : null}
      <Button
        variant="default"
        size="lg"
        fullWidth
        onClick={() => {
          setProblem(null);
          setIsOpen(!isOpen);
        }}
      >
        {isOpen ? 'Close the camera' : 'Scan a QR code'}
      </Button>
      {problem ? <p role="alert">{problem}</p> : null}
    </div>
  );
}

interface CameraProps {
  onFound: (text: string) => void;
  onFailed: () => void;
}

function Camera({ onFound, onFailed }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const handlers = useRef({ onFound, onFailed });
  handlers.current = { onFound, onFailed };

  useEffect(() => {
    const Detector = detectorClass();
    const screen = video.current;
    if (!Detector || !screen) {
      return undefined;
    }
    const detector = new Detector({ formats: ['qr_code'] });
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;

    async function look() {
      // A frame that is not there yet, or cannot be read, is followed by another one.
      const codes = await detector.detect(screen as HTMLVideoElement).catch(() => []);
      if (isClosed) {
        return;
      }
      const text = codes.find(({ rawValue }) => rawValue.trim() !== '')?.rawValue;
      if (text !== undefined) {
        handlers.current.onFound(text);
        return;
      }
      timer = setTimeout(look, LOOK_EVERY_MS);
    }

    async function open() {
      const opened = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      stream = opened;
      if (isClosed) {
        stop(opened);
        return;
      }
      if (screen) {
        screen.srcObject = opened;
        await screen.play();
      }
      await look();
    }

    open().catch(() => {
      if (!isClosed) {
        handlers.current.onFailed();
      }
    });
    return () => {
      isClosed = true;
      clearTimeout(timer);
      if (stream) {
        stop(stream);
      }
    };
  }, []);

  return (
    // The picture of the own camera has no sound and no captions.
    <video ref={video} className={classes.camera} aria-label="Camera" muted playsInline />
  );
}

function stop(stream: MediaStream) {
  for (const track of stream.getTracks()) {
    track.stop();
  }
}
