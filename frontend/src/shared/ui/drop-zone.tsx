import { Button } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import classes from './drop-zone.module.css';

interface DropZoneProps {
  /** The kind of file, for screen readers. */
  label: string;
  /** The file extensions for the file chooser. */
  endings: string[];
  hint: string;
  isBusy: boolean;
  onFiles: (files: File[]) => void;
}

/** Accepts a file that is dropped on it, or chosen with its button. */
export function DropZone({ label, endings, hint, isBusy, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  useDropsBeside();

  function handleFiles(files: FileList | null | undefined) {
    if (!isBusy && files && files.length > 0) {
      onFiles([...files]);
    }
  }

  function handleDrop(event: DragEvent) {
    event.preventDefault();
    setIsOver(false);
    handleFiles(event.dataTransfer.files);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the button inside does the same.
    <div
      className={classes.zone}
      data-over={isOver}
      data-testid="drop-zone"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) {
          setIsOver(false);
        }
      }}
      onDrop={handleDrop}
    >
      <IconFileUpload className={classes.icon} size={32} stroke={1.5} aria-hidden="true" />
      <p className={classes.text}>Drop a file here, or choose one.</p>
      <Button
        aria-disabled={isBusy || undefined}
        data-busy={isBusy || undefined}
        className={classes.button}
        onClick={() => (isBusy ? undefined : input.current?.click())}
      >
        {isBusy ? 'Reading...' : 'Choose file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={endings.join(',')}
        onChange={(event) => {
          handleFiles(event.currentTarget.files);
          // Without this, choosing the same file again after a correction would not be a change.
          event.currentTarget.value = '';
        }}
      />
      <p className={classes.hint}>{hint}</p>
    </div>
  );
}

/** Ignores files dropped outside the zone. The browser would open them and leave the page. */
function useDropsBeside() {
  useEffect(() => {
    const ignore = (event: Event) => event.preventDefault();
    window.addEventListener('dragover', ignore);
    window.addEventListener('drop', ignore);
    return () => {
      window.removeEventListener('dragover', ignore);
      window.removeEventListener('drop', ignore);
    };
  }, []);
}
