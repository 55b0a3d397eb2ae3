import { VisuallyHidden } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { type RunnerState, TIDYING } from '../../shared/diagnostics/run/runner';
import { BusyButton } from '../../shared/ui/busy-button';
import { wordOf } from './results/verdict-labels';
import classes from './run-status.module.css';

interface RunStatusProps {
  state: RunnerState;
  onStop: () => void;
}

/** The running test and its progress. It stays visible while the page scrolls. */
export function RunStatus({ state, onStop }: RunStatusProps) {
  const isRunning = state.running !== null;
  const stop = useRef<HTMLButtonElement>(null);
  useFocusWhile(isRunning, stop);
  return (
    <>
      {isRunning ? (
        <section className={classes.root} aria-label="Running test">
          <div className={classes.text}>
            <p className={classes.name}>
              {state.running}
              {state.place && state.place.of > 1 ? (
                <span className={classes.place}>
                  {' '}
                  Test {state.place.number} of {state.place.of}
                </span>
              ) : null}
            </p>
            <p className={classes.doing}>{doingOf(state)}</p>
          </div>
          <BusyButton
            ref={stop}
            className={classes.stop ?? ''}
            variant="default"
            leftSection={<IconPlayerStop size={18} stroke={1.75} aria-hidden="true" />}
            isBusy={state.isStopping}
            busyLabel="Stopping…"
            onClick={onStop}
          >
            Stop
          </BusyButton>
          <Bar state={state} />
        </section>
      ) : null}
      <VisuallyHidden role="status">{announcementOf(state)}</VisuallyHidden>
    </>
  );
}

/** The buttons of the tests are disabled while one runs. So the focus moves to Stop, and returns afterwards. */
function useFocusWhile(isRunning: boolean, stop: { current: HTMLElement | null }): void {
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    // The last focused element. `document.activeElement` is not reliable for a button that is disabled.
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== stop.current) {
        opener.current = target;
      }
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [stop]);

  useEffect(() => {
    if (!isRunning) {
      return;
    }
    if (isLost(document.activeElement)) {
      stop.current?.focus({ preventScroll: true });
    }
    return () => {
      // The button is enabled again once the page was rendered without the running test.
      window.setTimeout(() => {
        if (isLost(document.activeElement) && opener.current instanceof HTMLElement) {
          opener.current.focus({ preventScroll: true });
        }
      });
    };
  }, [isRunning, stop]);
}

function isLost(element: Element | null): boolean {
  return element === null || element === document.body || element.matches(':disabled');
}

function doingOf({ isStopping, progress }: RunnerState): string {
  if (isStopping) {
    return progress?.doing === TIDYING ? TIDYING : 'Stopping…';
  }
  return progress?.doing ?? 'Starting…';
}

function Bar({ state: { running, progress } }: { state: RunnerState }) {
  // A single step of unknown length has no share.
  const share = progress && progress.total > 1 ? Math.min(1, progress.done / progress.total) : null;
  const percent = share === null ? undefined : Math.round(share * 100);
  return (
    <div
      className={classes.bar}
      role="progressbar"
      aria-label={`Progress of ${running}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span className={classes.fill} data-unknown={share === null} style={{ width: `${percent ?? 100}%` }} />
    </div>
  );
}

/** Announces the end of each test, but not the steps in between. */
function announcementOf({ results, running }: RunnerState): string {
  const ended = results.find(({ status }) => status !== 'running');
  const last = ended ? `${ended.name}: ${wordOf(ended.status)}. ${ended.message}` : '';
  return running === null ? last : `${last} ${running} is running.`.trim();
}
