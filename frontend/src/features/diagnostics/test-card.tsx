import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useId } from 'react';
import type { Diagnostic } from '../../shared/diagnostics/run/diagnostic';
import type { ResultEntry } from '../../shared/diagnostics/run/runner';
import type { TestCard as Tests } from './catalogue';
import { VerdictSign } from './results/verdict-sign';
import classes from './test-card.module.css';

interface TestCardProps {
  card: Tests;
  /** The newest first. */
  results: readonly ResultEntry[];
  isRunning: boolean;
  onStart: (tests: Diagnostic[]) => void;
}

/** A group of tests: a button for each, and one for all of them. */
export function TestCard({ card, results, isRunning, onStart }: TestCardProps) {
  const id = useId();
  return (
    <section className={classes.root} aria-labelledby={id}>
      <header className={classes.head}>
        <div>
          <h2 className={classes.title} id={id}>
            {card.title}
          </h2>
          <p className={classes.about}>{card.about}</p>
        </div>
        <Button
          size="xs"
          variant="default"
          disabled={isRunning}
          aria-label={`Run All ${card.title}`}
          onClick={() => onStart(card.tests)}
        >
          Run All
        </Button>
      </header>
      <ul className={classes.list}>
        {card.tests.map((test) => (
          <TestRow
            key={test.name}
            test={test}
            last={results.find(({ name }) => name === test.name)}
            isRunning={isRunning}
            onStart={() => onStart([test])}
          />
        ))}
      </ul>
    </section>
  );
}

interface TestRowProps {
  test: Diagnostic;
  /** The last result of the test. */
  last: ResultEntry | undefined;
  isRunning: boolean;
  onStart: () => void;
}

function TestRow({ test, last, isRunning, onStart }: TestRowProps) {
  const id = useId();
  return (
    <li className={classes.row}>
      <Button
        variant="default"
        className={classes.button ?? ''}
        leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden="true" />}
        disabled={isRunning}
        aria-describedby={id}
        onClick={onStart}
      >
        {test.name}
      </Button>
      <span className={classes.verdict}>{last ? <VerdictSign status={last.status} /> : null}</span>
      <p className={classes.about} id={id}>
        {test.about}
      </p>
    </li>
  );
}
