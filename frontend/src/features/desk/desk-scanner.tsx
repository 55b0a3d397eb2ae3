import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import classes from './desk-page.module.css';

/** Loaded when somebody scans. */
const Camera = lazy(() => import('./desk-camera'));

/** Opens the camera, which stays open for the next code. */
export function DeskScanner({ onFound }: { onFound: (text: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const hasCamera = 'mediaDevices' in navigator;
  return (
    <div className={classes.scanner}>
      <Button
        variant="default"
        size="lg"
        disabled={!hasCamera}
        onClick={() => {
          setProblem(null);
          setIsOpen(!isOpen);
        }}
      >
        {isOpen ? 'Close the camera' : 'Scan codes'}
      </Button>
      {hasCamera ? null : <p>This browser offers no camera here. Search by name.</p>}
      {problem ? <p role="alert">{problem}</p> : null}
      {isOpen ? (
        <Suspense fallback={<p role="status">Opening the camera…</p>}>
          <Camera
            className={classes.camera}
            onFound={onFound}
            onFailed={() => {
              setIsOpen(false);
              setProblem('The camera cannot be used. Allow it in the browser, or search by name.');
            }}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
