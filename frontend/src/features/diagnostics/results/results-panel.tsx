import { Button } from '@mantine/core';
import { IconDownload, IconFlask, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Portal } from '../../../shared/diagnostics/run/portal';
import type { ResultEntry } from '../../../shared/diagnostics/run/runner';
import { downloadFile } from '../../../shared/download';
import { EmptyState } from '../../../shared/ui/empty-state';
import { fileNameOf, reportOf } from './report';
import { ResultItem } from './result-item';
import classes from './results-panel.module.css';
import { summaryOf } from './verdict-labels';

interface ResultsPanelProps {
  portal: Portal;
  results: readonly ResultEntry[];
  onClear: () => void;
}

/** The results of the tests, the newest first. */
export function ResultsPanel({ portal, results, onClear }: ResultsPanelProps) {
  const id = useId();
  const hasEnded = results.length > 0 && results.every(({ status }) => status !== 'running');

  function handleDownload() {
    const now = new Date();
    downloadFile(fileNameOf(now), new Blob([reportOf(portal, results, now)], { type: 'application/json' }));
  }

  return (
    <section className={classes.root} aria-labelledby={id}>
      <header className={classes.head}>
        <div>
          <h2 className={classes.title} id={id}>
            Test Results
          </h2>
          <p className={classes.summary}>{results.length > 0 ? summaryOf(results) : 'Newest first.'}</p>
        </div>
        <div className={classes.actions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
            disabled={!hasEnded}
            onClick={handleDownload}
          >
            Download Report
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={16} stroke={1.75} aria-hidden="true" />}
            disabled={!hasEnded}
            onClick={onClear}
          >
            Clear
          </Button>
        </div>
      </header>
      {results.length === 0 ? (
        <EmptyState icon={IconFlask} title="No tests have been run yet" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
        <section className={classes.scroll} aria-label="List of results" tabIndex={0}>
          <ol className={classes.list}>
            {results.map((entry) => (
              <ResultItem key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      )}
    </section>
  );
}
