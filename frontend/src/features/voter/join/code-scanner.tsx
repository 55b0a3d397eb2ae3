import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { detectorClass } from '../../../shared/camera/detector';
import classes from './code-scanner.module.css';

/** Few voters scan, so the others do not load the camera. */
const Camera = lazy(() => import('../../../shared/camera/camera'));

/** Whether the browser reads QR codes and has a camera to do so. It offers cameras on secure addresses only. */
function useCanScan(): boolean {
  const [canScan, setCanScan] = useState(false);
  useEffect(() => {
    const Detector = 'mediaDevices' in navigator ? detectorClass() : undefined;
    Detector?.getSupportedFormats().then(
      (supported) => setCanScan(supported.includes('qr_code')),
      () => undefined,
    );
  }, []);
  return canScan;
}

/** A button that opens the camera until it sees a QR code. Nothing where the browser cannot do so. */
export default function CodeScanner({ onFound }: { onFound: (text: string) => void }) {
  const canScan = useCanScan();
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (!canScan) {
    return null;
  }
  return (
    <div className={classes.scanner}>
      {isOpen ? (
        <Suspense>
          <Camera
            className={classes.camera}
            onFound={(text) => {
              setIsOpen(false);
              onFound(text);
            }}
            onFailed={() => {
              setIsOpen(false);
              setProblem('The camera cannot be used.');
            }}
          />
        </Suspense>
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
