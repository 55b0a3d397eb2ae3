import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import classes from './presentation-controls.module.css';
import { useFullScreen } from './use-full-screen';

interface PresentationControlsProps {
  isResting: boolean;
  /** Whether the page keeps the computer from going to sleep. */
  isAwake: boolean;
}

/** For whoever stands at the laptop; gone while nobody touches it, and there again with the first Tab. */
export function PresentationControls({ isResting, isAwake }: PresentationControlsProps) {
  const { isPossible, isFull, toggle } = useFullScreen();
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    // Nobody is there any more: the focus does not keep the controls on the presentation.
    if (isResting && document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  }, [isResting]);

  const other = shown === 'dark' ? 'light' : 'dark';

  return (
    <section className={classes.root} data-resting={isResting} aria-label="Screen">
      {isPossible ? (
        <button type="button" className={classes.button} onClick={toggle} aria-keyshortcuts="F">
          {isFull ? 'Leave full screen' : 'Full screen'}
        </button>
      ) : null}
      <button
        type="button"
        className={classes.button}
        // Back to what the device says where that is the same, so that the screen follows it again.
        onClick={() => setColorScheme(other === systemScheme() ? 'auto' : other)}
      >
        {other === 'dark' ? 'Dark' : 'Light'}
      </button>
      {isPossible ? (
        <span className={classes.hint}>
          {isFull ? 'Press Escape to leave full screen' : 'Press F for full screen'}
        </span>
      ) : null}
      {isAwake ? null : (
        <span className={classes.hint}>Switch off this computer's screensaver and sleep mode</span>
      )}
    </section>
  );
}

function systemScheme(): 'light' | 'dark' {
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
