import { type RefObject, useEffect, useRef } from 'react';

const LOOK_EVERY_MS = 250;

/** Reads a code in the current frame of a video. A rejection means that this frame cannot be read. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string | null>;

export interface CameraOptions {
  /** Called once, while the camera opens. */
  createReader: () => Promise<CodeReader>;
  /** Whether the camera goes on reading after a code. */
  isContinuous: boolean;
  onFound: (text: string) => void;
  onFailed: () => void;
}

/** Shows the camera in the video of this reference, and reads codes until it unmounts. */
export function useCamera(options: CameraOptions): RefObject<HTMLVideoElement | null> {
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const screen = video.current;
    if (!screen) {
      return undefined;
    }
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;

    async function openStream(): Promise<MediaStream> {
      const opened = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (isClosed) {
        stop(opened);
      }
      stream = opened;
      return opened;
    }

    async function open(shown: HTMLVideoElement) {
      const [read, opened] = await Promise.all([latest.current.createReader(), openStream()]);
      if (isClosed) {
        return;
      }
      shown.srcObject = opened;
      await shown.play();
      const look = async () => {
        // A frame that is not there yet, or cannot be read, is followed by another one.
        const text = await read(shown).catch(() => null);
        if (isClosed) {
          return;
        }
        if (text !== null) {
          latest.current.onFound(text);
        }
        if (text === null || latest.current.isContinuous) {
          timer = setTimeout(look, LOOK_EVERY_MS);
        }
      };
      await look();
    }

    open(screen).catch(() => {
      if (!isClosed) {
        latest.current.onFailed();
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

  return video;
}

function stop(stream: MediaStream) {
  for (const track of stream.getTracks()) {
    track.stop();
  }
}
