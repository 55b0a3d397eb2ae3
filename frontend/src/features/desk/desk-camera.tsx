import { type CameraProps, CameraVideo } from '../../shared/camera/camera-video';
import { detectorClass } from '../../shared/camera/detector';
import type { CodeReader } from '../../shared/camera/use-camera';
import { scannedCode } from './desk-scans';

/** A code needs no more pixels, and a smaller picture is read sooner. */
const WIDTH = 640;

/** The browser's reader of codes, or one of our own where there is none. */
async function createReader(): Promise<CodeReader> {
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

/** The camera's video. Reports every code that it detects until it unmounts. */
export default function DeskCamera(props: CameraProps) {
  return <CameraVideo {...props} createReader={createReader} isContinuous />;
}
