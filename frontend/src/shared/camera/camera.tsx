import { type CameraProps, CameraVideo } from './camera-video';
import { detectorClass } from './detector';
import type { CodeReader } from './use-camera';

/** The browser's reader of codes. This camera is offered only where there is one. */
async function createReader(): Promise<CodeReader> {
  const Detector = detectorClass();
  if (!Detector) {
    throw new Error('This browser reads no codes');
  }
  const detector = new Detector({ formats: ['qr_code'] });
  return async (video) => {
    const codes = await detector.detect(video);
    return codes.find(({ rawValue }) => rawValue.trim() !== '')?.rawValue ?? null;
  };
}

/** The camera's video, until it contains a QR code. */
export default function Camera(props: CameraProps) {
  return <CameraVideo {...props} createReader={createReader} isContinuous={false} />;
}
