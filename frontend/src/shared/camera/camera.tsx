import { useEffect, useRef } from 'react';
import { detectorClass } from './detector';

const LOOK_EVERY_MS = 250;

interface CameraProps {
  className: string | undefined;
  onFound: (text: string) => void;
  onFailed: () => void;
}

/** The picture of the camera, until it contains a QR code. */
export default function Camera({ className, onFound, onFailed }: CameraProps) {
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
    // The picture of one's own camera has no sound and no captions.
    <video ref={video} className={className} aria-label="Camera" muted playsInline />
  );
}

function stop(stream: MediaStream) {
  for (const track of stream.getTracks()) {
    track.stop();
  }
}
