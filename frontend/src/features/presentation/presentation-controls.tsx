import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import classes from './presentation-controls.module.css';
import { useFullScreen } from './use-full-screen';

interface PresentationControlsProps {
  isIdle: boolean;
  /** Whether the page prevents the computer from sleeping. */
  isAwake: boolean;
}

/** The controls for the user of the laptop. They are hidden while the laptop is idle, and return with the first Tab. */
export function PresentationControls({ isIdle, isAwake }: PresentationControlsProps) {
  const { isPossible, isFull, toggle } = useFullScreen();
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    // The laptop is idle: the focus must not keep the controls visible.
    if (isIdle && document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  }, [isIdle]);

  const other = shown === 'dark' ? 'light' : 'dark';

  return (
    <section className={classes.root} data-idle={isIdle} aria-label="Screen">
      {isPossible ? (
        <button type="button" className={classes.button} onClick={toggle} aria-keyshortcuts="F">
          {isFull ? 'Leave full screen' : 'Full screen'}
        </button>
      ) : null}
      <button
        type="button"
        className={classes.button}
        // 'auto' if it equals the system's scheme, so that the screen follows the system again.
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
