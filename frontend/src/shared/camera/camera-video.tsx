import { type CameraOptions, useCamera } from './use-camera';

export interface CameraProps extends Pick<CameraOptions, 'onFound' | 'onFailed'> {
  className: string | undefined;
}

/** The camera's video, which a reader looks at. */
export function CameraVideo({ className, ...options }: CameraProps & CameraOptions) {
  const video = useCamera(options);
  return (
    // The picture of one's own camera has no sound and no captions.
    <video ref={video} className={className} aria-label="Camera" muted playsInline />
  );
}
