import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { User } from '../../api/types';
import { useUser } from '../../api/use-session';
import type { Diagnostic } from '../../shared/diagnostics/run/diagnostic';
import type { Portal } from '../../shared/diagnostics/run/portal';
import { useRun } from '../../shared/diagnostics/run/use-run';
import { PageHead } from '../../shared/ui/page-head';
import { cardsOf } from './catalogue';
import { cleanupData } from './checks/integration/cleanup-data';
import { LeftoversNotice } from './leftovers-notice';
import { QuestionDialog } from './question-dialog';
import { ResultsPanel } from './results/results-panel';
import { RunStatus } from './run-status';
import { runnerOf } from './runners';
import { TestCard } from './test-card';
import classes from './tests-page.module.css';

interface TestsPageProps {
  portal: Portal;
  title: string;
  description: string;
}

/** The tests of a portal, and their results. */
export function TestsPage(props: TestsPageProps) {
  const user = useUser();
  return user ? <TestsOf {...props} user={user} /> : null;
}

function TestsOf({ portal, title, description, user }: TestsPageProps & { user: User }) {
  const runner = runnerOf(user);
  const state = useRun(runner);
  const cards = cardsOf(portal);
  const isRunning = state.running !== null;
  const start = (tests: Diagnostic[]) => void runner.start(tests, portal, user);

  return (
    <>
      <PageHead
        title={title}
        description={description}
        action={
          <Button
            leftSection={<IconPlayerPlay size={18} stroke={1.75} aria-hidden="true" />}
            disabled={isRunning}
            onClick={() => start(cards.flatMap(({ tests }) => tests))}
          >
            Run All Tests
          </Button>
        }
      />
      {isRunning ? null : <LeftoversNotice portal={portal} onCleanUp={() => start([cleanupData])} />}
      <div className={classes.columns}>
        <div className={classes.cards}>
          {cards.map((card) => (
            <TestCard
              key={card.title}
              card={card}
              results={state.results}
              isRunning={isRunning}
              onStart={start}
            />
          ))}
        </div>
        <div className={classes.side} data-running={isRunning || undefined}>
          <RunStatus state={state} onStop={() => void runner.stop()} />
          <ResultsPanel portal={portal} results={state.results} onClear={() => runner.clear()} />
        </div>
      </div>
      <QuestionDialog question={state.question} onAnswer={(isYes) => runner.answer(isYes)} />
    </>
  );
}
