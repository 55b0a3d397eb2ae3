import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { RegisterEntry } from '../../api/types';
import { answerTexts, toAnswers } from '../ballot/ballot';
import { BallotControl } from '../ballot/ballot-control';
import { countOf, formatNumber } from '../format';
import { numberProblem, readNumber } from '../number-text';
import { type NamedKind, weightAmount } from '../result/weight-names';
import { COUNT, MOST, numberFor, sumOf, withCount, withoutCount } from './counts';
import { DraftPeople } from './draft-people';
import { type EntryProps, refusalOf } from './entry-props';
import type { DraftCount, PaperDraft } from './paper-draft';
import { ballotQuestion, isFilled, type PaperQuestion } from './paper-question';
import classes from './paper-votes.module.css';
import { VoterSearch } from './voter-search';

/** A batch of a vote that is not named: the people, and how many votes have which answers. */
export function SetEntry({ api, question, draft, isFocused, onChange }: EntryProps) {
  const people = draft?.people ?? [];
  const counts = draft?.counts ?? [];
  const [added, setAdded] = useState('');
  const id = useId();
  return (
    <>
      {people.length < MOST ? (
        <VoterSearch
          find={api.search}
          roundId={question.roundId}
          label="Name or username"
          isFocused={isFocused}
          refusal={(found) => refusalOf(found, draft) ?? otherWeight(found, draft, question.weightKind)}
          onChoose={({ endUserId, name, username, weight }) => {
            onChange({ people: [...people, { endUserId, name, username, weight, answers: [] }] });
            setAdded(`${name} is marked.`);
          }}
        />
      ) : (
        <p>A batch has at most {MOST} people. Enter this one first.</p>
      )}
      <DraftPeople
        question={question}
        people={people}
        done={added}
        onRemove={(removed) => {
          onChange({ people: people.filter((other) => other !== removed) });
          setAdded(`${removed.name} is removed.`);
        }}
      />
      {people.length > 0 ? (
        <section className={classes.part} aria-labelledby={id}>
          <h4 id={id} className={classes.subtitle}>
            Votes by answer
          </h4>
          {question.type === 'SINGLE_CHOICE' ? (
            <OptionNumbers
              question={question}
              counts={counts}
              onChange={(next) => onChange({ counts: next })}
            />
          ) : (
            <CountedAnswers
              question={question}
              counts={counts}
              onChange={(next) => onChange({ counts: next })}
            />
          )}
          {people.length === 1 ? (
            <p>
              A batch of one person tells the tellers how this person voted. Put several papers into one
              batch.
            </p>
          ) : null}
          <Sum people={people.length} sum={sumOf(counts)} />
        </section>
      ) : null}
    </>
  );
}

/** Among people of different weights, a count by weight could tell who gave which answer. */
function otherWeight({ weight }: RegisterEntry, draft: PaperDraft | null, kind: NamedKind): string | null {
  const first = draft?.people[0];
  return first && first.weight !== weight
    ? `The people of a batch have the same weight, here ${kind ? weightAmount(first.weight, kind) : formatNumber(first.weight)}. Enter another batch for this person`
    : null;
}

function Sum({ people, sum }: { people: number; sum: number }) {
  const difference = people - sum;
  return (
    <p className={classes.sum} role="status">
      {Number.isNaN(sum)
        ? 'Correct the numbers.'
        : `${formatNumber(sum)} of ${formatNumber(people)}. ${
            difference === 0
              ? 'The numbers match.'
              : difference > 0
                ? `${countOf(difference, 'vote')} missing.`
                : `${countOf(-difference, 'vote')} too many.`
          }`}
    </p>
  );
}

interface NumbersProps {
  question: PaperQuestion;
  counts: DraftCount[];
  onChange: (counts: DraftCount[]) => void;
}

/** One number for each option. */
function OptionNumbers({ question, counts, onChange }: NumbersProps) {
  return (
    <div className={classes.numbers}>
      {question.options.map((option) => (
        <CountField
          key={option}
          label={option}
          value={numberFor(counts, [option])}
          onChange={(number) => onChange(withCount(counts, [option], number))}
        />
      ))}
    </div>
  );
}

interface CountFieldProps {
  label: string;
  value: string;
  onChange: (number: string) => void;
}

function CountField({ label, value, onChange }: CountFieldProps) {
  return (
    <TextInput
      label={label}
      size="lg"
      inputMode="numeric"
      autoComplete="off"
      placeholder="0"
      value={value}
      error={numberProblem(value, COUNT)}
      errorProps={{ role: 'alert' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The answers of a paper, with the number of equal papers. */
function CountedAnswers({ question, counts, onChange }: NumbersProps) {
  const [answers, setAnswers] = useState<string[]>([]);
  const [number, setNumber] = useState('1');
  const id = useId();
  const paper = ballotQuestion(question);
  const words = (given: string[]) => answerTexts(paper, given).join(', ');
  const canAdd = isFilled(question, answers) && (Number(readNumber(number, COUNT)) || 0) > 0;

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (!canAdd) {
      return;
    }
    const read = toAnswers(question.type, answers);
    const before = Number(numberFor(counts, read)) || 0;
    onChange(withCount(counts, read, String(before + Number(number))));
    setAnswers([]);
    setNumber('1');
  }

  return (
    <>
      {counts.length > 0 ? (
        <ul className={classes.list} aria-label="Votes by answer">
          {counts.map((one) => (
            <li key={one.answers.join('\n')} className={classes.entry}>
              <CountField
                label={words(one.answers)}
                value={one.number}
                onChange={(next) => onChange(withCount(counts, one.answers, next))}
              />
              <Button
                variant="default"
                aria-label={`Remove ${words(one.answers)}`}
                onClick={() => onChange(withoutCount(counts, one.answers))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <form className={classes.part} noValidate onSubmit={handleSubmit}>
        <h5 id={id} className={classes.subtitle}>
          Add the answers of a paper
        </h5>
        <BallotControl
          question={paper}
          answers={answers}
          isDisabled={false}
          labelledBy={id}
          describedBy={undefined}
          orderKey={question.roundId}
          onChange={setAnswers}
        />
        <CountField label="Votes with these answers" value={number} onChange={setNumber} />
        <div className={classes.actions}>
          <Button type="submit" variant="default" size="lg" disabled={!canAdd}>
            Add these votes
          </Button>
        </div>
      </form>
    </>
  );
}
