import { useEffect, useRef } from 'react';
import { detectorClass } from '../../shared/camera/detector';
import { scannedCode } from './desk-scans';

const LOOK_EVERY_MS = 250;
/** A code needs no more pixels, and a smaller picture is read sooner. */
const WIDTH = 640;

interface DeskCameraProps {
  className: string | undefined;
  onFound: (text: string) => void;
  onFailed: () => void;
}

type Reader = (video: HTMLVideoElement) => Promise<string | null>;

/** The browser's reader of codes, or one of our own where there is none. */
async function readerOfCodes(): Promise<Reader> {
  const Detector = detectorClass();
  const formats: string[] = (await Detector?.getSupportedFormats().catch(() => [])) ?? [];
  if (Detector && formats.includes('qr_code')) {
    const detector = new Detector({ formats: ['qr_code'] });
    return async (video) => scannedCode((await detector.detect(video)).map(({ rawValue }) => rawValue));
  }
  const { default: decode } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    canvas.width = WIDTH;
    canvas.height = Math.round((WIDTH * video.videoHeight) / Math.max(1, video.videoWidth));
    if (!context || canvas.height === 0) {
      return null;
    }
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    try {
      return scannedCode([decode(context.getImageData(0, 0, canvas.width, canvas.height))]);
    } catch {
      // There is no code in this picture.
      return null;
    }
  };
}

/** The picture of the camera. It tells every code that it sees, until it is closed. */
export default function DeskCamera({ className, onFound, onFailed }: DeskCameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const handlers = useRef({ onFound, onFailed });
  handlers.current = { onFound, onFailed };

  useEffect(() => {
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;

    async function open() {
      const screen = video.current;
      const [read, opened] = await Promise.all([
        readerOfCodes(),
        navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }),
      ]);
      stream = opened;
      if (isClosed || !screen) {
        stop(opened);
        return;
      }
      screen.srcObject = opened;
      await screen.play();
      const look = async () => {
        const text = await read(screen).catch(() => null);
        if (isClosed) {
          return;
        }
        if (text !== null) {
          handlers.current.onFound(text);
        }
        timer = setTimeout(look, LOOK_EVERY_MS);
      };
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
    // The picture of one's own camera has no sound and no captions.
    <video ref={video} className={className} aria-label="Camera" muted playsInline />
  );
}

function stop(stream: MediaStream) {
  for (const track of stream.getTracks()) {
    track.stop();
  }
}
