import { Button } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { toAnswers } from '../ballot/ballot';
import { BallotControl } from '../ballot/ballot-control';
import { formatNumber } from '../format';
import { MOST } from './counts';
import { DraftPeople } from './draft-people';
import { type EntryProps, refusalOf } from './entry-props';
import type { DraftPerson } from './paper-draft';
import { ballotQuestion, isFilled, type PaperQuestion } from './paper-question';
import classes from './paper-votes.module.css';
import { VoterSearch } from './voter-search';

/** A batch of a named vote: one person after another, with their answers. */
export function NamedEntry({ api, question, draft, isFocused, onChange }: EntryProps) {
  const people = draft?.people ?? [];
  const [person, setPerson] = useState<DraftPerson | null>(null);
  /** What was added last. From then on the search has the focus. */
  const [added, setAdded] = useState<string | null>(null);

  function handleAdd(answers: string[]) {
    if (person === null) {
      return;
    }
    const next = { ...person, answers: toAnswers(question.type, answers) };
    const isKnown = people.some(({ endUserId }) => endUserId === person.endUserId);
    onChange({
      people: isKnown
        ? people.map((one) => (one.endUserId === person.endUserId ? next : one))
        : [...people, next],
    });
    setAdded(`${person.name} is ${isKnown ? 'changed' : 'added'}.`);
    setPerson(null);
  }

  if (person !== null) {
    return (
      <PaperBallot
        key={person.endUserId}
        question={question}
        person={person}
        onAdd={handleAdd}
        onCancel={() => {
          setAdded('');
          setPerson(null);
        }}
      />
    );
  }
  return (
    <>
      {people.length < MOST ? (
        <VoterSearch
          find={api.search}
          roundId={question.roundId}
          label="Name or username"
          isFocused={isFocused || added !== null}
          refusal={(found) => refusalOf(found, draft)}
          onChoose={({ endUserId, name, username, weight }) =>
            setPerson({ endUserId, name, username, weight, answers: [] })
          }
        />
      ) : (
        <p>A batch has at most {MOST} votes. Enter this one first.</p>
      )}
      <DraftPeople
        question={question}
        people={people}
        done={added}
        onEdit={setPerson}
        onRemove={(removed) => {
          onChange({ people: people.filter((other) => other !== removed) });
          setAdded(`${removed.name} is removed.`);
        }}
      />
    </>
  );
}

interface PaperBallotProps {
  question: PaperQuestion;
  person: DraftPerson;
  onAdd: (answers: string[]) => void;
  onCancel: () => void;
}

/** The answers on the paper of one person. */
function PaperBallot({ question, person, onAdd, onCancel }: PaperBallotProps) {
  const [answers, setAnswers] = useState(person.answers);
  const id = useId();
  const controls = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const canAdd = isFilled(question, answers);
  const keys = hasKeys(question) ? question.options.length || question.ratingMax || 5 : 0;

  // Before the ballot is painted: whoever sees it may already press a key.
  useLayoutEffect(() => {
    const first = controls.current?.querySelector<HTMLElement>('input, textarea');
    (first ?? heading.current)?.focus();
  }, []);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (canAdd) {
      onAdd(answers);
    }
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      onCancel();
    } else if (keys > 0 && /^[1-9]$/.test(event.key)) {
      event.preventDefault();
      controls.current?.querySelectorAll('input')[Number(event.key) - 1]?.click();
    }
  }

  return (
    <form className={classes.part} noValidate onSubmit={handleSubmit} onKeyDown={handleKey}>
      <h4 id={id} ref={heading} className={classes.title} tabIndex={-1} dir="auto">
        {person.name}
      </h4>
      <p className={classes.quiet}>
        {person.username}, weight {formatNumber(person.weight)}
      </p>
      <div ref={controls}>
        <BallotControl
          question={ballotQuestion(question)}
          answers={answers}
          isDisabled={false}
          labelledBy={id}
          describedBy={undefined}
          orderKey={question.roundId}
          onChange={setAnswers}
        />
      </div>
      {keys > 0 ? (
        <p className={classes.keys}>
          The keys 1 to {Math.min(keys, 9)} choose in this order, Enter adds the vote.
        </p>
      ) : null}
      <div className={classes.actions}>
        <Button type="submit" size="lg" disabled={!canAdd}>
          {person.answers.length > 0 ? 'Change the vote' : 'Add to the batch'}
        </Button>
        <Button size="lg" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function hasKeys({ type }: PaperQuestion): boolean {
  return type === 'SINGLE_CHOICE' || type === 'MULTIPLE_CHOICE' || type === 'RATING';
}
