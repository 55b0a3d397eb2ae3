import { Button } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '../format';
import { BatchList } from './batch-list';
import { BatchView } from './batch-view';
import { EnterBatch } from './enter-batch';
import type { PaperApi } from './paper-api';
import type { DraftPlace } from './paper-draft';
import type { PaperQuestion } from './paper-question';
import classes from './paper-votes.module.css';
import { usePaperDraft } from './use-paper-draft';
import { useSendBatch } from './use-send-batch';

interface PaperVotesProps {
  api: PaperApi;
  /** Always the same object: a device has one batch at a time. */
  place: DraftPlace;
  /** The question on which voting is open. */
  question: PaperQuestion | null;
  /** Whether the search for people has the focus from the start. */
  isFocused?: boolean;
}

/** Votes on paper of the open question: a batch to enter, and the batches that were entered. */
export function PaperVotes({ api, place, question, isFocused = false }: PaperVotesProps) {
  const { draft, discarded, dismissDiscarded, change, clear } = usePaperDraft(place, question);
  const sending = useSendBatch({ api, question, draft, change, clear });
  const [opened, setOpened] = useState<{ roundId: string; batchId: string } | null>(null);

  if (question === null) {
    return <NoQuestion kept={draft} onDiscard={clear} />;
  }
  if (question.secrecy === 'secret') {
    return (
      <>
        <Discarded discarded={discarded} onDismiss={dismissDiscarded} />
        <SecretQuestion />
      </>
    );
  }
  if (opened?.roundId === question.roundId) {
    return (
      <BatchView
        key={opened.batchId}
        api={api}
        question={question}
        batchId={opened.batchId}
        onClose={() => setOpened(null)}
      />
    );
  }
  return (
    <div className={classes.root}>
      <Discarded discarded={discarded} onDismiss={dismissDiscarded} />
      <EnterBatch
        key={question.roundId}
        api={api}
        question={question}
        draft={draft}
        isFocused={isFocused}
        sending={sending}
        onChange={change}
        onDiscard={clear}
      />
      <BatchList
        api={api}
        roundId={question.roundId}
        onOpen={(batchId) => setOpened({ roundId: question.roundId, batchId })}
      />
    </div>
  );
}

type Kept = ReturnType<typeof usePaperDraft>['draft'];

function Discarded({ discarded, onDismiss }: { discarded: Kept; onDismiss: () => void }) {
  return discarded === null ? null : (
    <div className={classes.notice} role="alert">
      <p>
        Voting on “<span dir="auto">{discarded.text}</span>” has ended. The batch of{' '}
        {countOf(discarded.people.length, 'person', 'people')} that you were entering is discarded. None of
        its votes is counted.
      </p>
      <Button variant="default" onClick={onDismiss}>
        OK
      </Button>
    </div>
  );
}

function NoQuestion({ kept, onDiscard }: { kept: Kept; onDiscard: () => void }) {
  return (
    <div className={classes.root}>
      <p role="status">No question is open. As soon as voting opens, votes on paper can be entered here.</p>
      {kept !== null && kept.people.length > 0 ? (
        <div className={classes.notice}>
          <p>
            This device keeps the batch that you were entering on “<span dir="auto">{kept.text}</span>” (
            {countOf(kept.people.length, 'person', 'people')}). You can go on if that vote is reopened. If
            another question opens, the batch is discarded.
          </p>
          <Button variant="default" onClick={onDiscard}>
            Discard the batch
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function SecretQuestion() {
  return (
    <p role="status">
      This is a secret vote. It takes no votes on paper: a teller would see the answer. People without a phone
      can vote at a voting place.
    </p>
  );
}
