import { Button, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { BallotQuestion } from '../../../shared/ballot/ballot';
import { BallotControl } from '../../../shared/ballot/ballot-control';
import form from '../../../shared/ballot/ballot-form.module.css';
import { QuestionHead } from '../../../shared/ballot/question-header';
import { SecrecyNote } from '../../../shared/ballot/secrecy-note';
import { toastsAbove } from '../../../shared/ui/toast';
import { Countdown } from '../ballot/countdown';
import classes from './holder-ballot.module.css';
import {
  everybodyElse,
  forWhom,
  type Group,
  isComplete,
  type Plan,
  type Share,
  sharesOf,
  summary,
  toggled,
  type Voter,
  votes,
  withGroup,
  withGroupAnswers,
  withoutGroup,
} from './people-groups';

interface HolderBallotProps {
  question: BallotQuestion;
  /** Everybody whose vote the holder can cast now. */
  voters: Voter[];
  /** The answers before the page was reloaded. */
  drafted: Plan;
  isBusy: boolean;
  onChange: (plan: Plan) => void;
  onSubmit: (shares: Share[]) => void;
}

/** The ballot of a holder: one answer for everybody, and other answers for some. */
export function HolderBallot(props: HolderBallotProps) {
  const { question, voters, drafted, isBusy, onChange, onSubmit } = props;
  const [plan, setPlan] = useState(drafted);
  const headingId = useId();
  const secrecyId = useId();
  const shares = sharesOf(plan, voters);
  const canSubmit = isComplete(question, plan, voters);
  const rest = everybodyElse(plan, voters).length;

  function change(next: Plan) {
    setPlan(next);
    onChange(next);
  }

  return (
    <form
      className={form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (canSubmit && !isBusy) {
          onSubmit(shares);
        }
      }}
    >
      <QuestionHead headingId={headingId} question={question} />
      <p className={classes.whom}>{forWhom(voters)}</p>
      <Instructions voters={voters} />
      {plan.groups.length > 0 ? <h3 className={classes.part}>Everybody else ({votes(rest)})</h3> : null}
      <BallotControl
        question={question}
        answers={plan.answers}
        isDisabled={isBusy}
        labelledBy={headingId}
        describedBy={undefined}
        onChange={(answers) => change({ ...plan, answers })}
      />
      {plan.groups.map((group, index) => (
        <GroupPart
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other identity, and only the last one is added
          key={index}
          question={question}
          group={group}
          voters={voters}
          isBusy={isBusy}
          onAnswers={(answers) => change(withGroupAnswers(plan, index, answers))}
          onToggle={(id) => change(toggled(plan, index, id))}
          onRemove={() => change(withoutGroup(plan, index))}
        />
      ))}
      {voters.length > 1 ? (
        <Button variant="default" mt="sm" size="md" disabled={isBusy} onClick={() => change(withGroup(plan))}>
          {plan.groups.length === 0 ? 'Vote differently for some' : 'Another answer for some'}
        </Button>
      ) : null}
      <div ref={toastsAbove} className={form.bar}>
        <SecrecyNote id={secrecyId} secrecy={question.secrecy} />
        <p className={classes.summary} role="status">
          {summary(question, shares)}
        </p>
        <div className={form.act}>
          {question.closesAt === null || isBusy ? null : <Countdown closesAt={question.closesAt} />}
          <Button
            className={form.submit}
            type="submit"
            size="lg"
            fullWidth
            disabled={!canSubmit}
            aria-disabled={isBusy}
          >
            {isBusy ? 'Submitting...' : `Submit ${votes(voters.length)}`}
          </Button>
        </div>
      </div>
    </form>
  );
}

function Instructions({ voters }: { voters: Voter[] }) {
  const noted = voters.filter(({ note }) => note !== null);
  return noted.length === 0 ? null : (
    <details className={classes.notes}>
      <summary>Instructions from {noted.length === 1 ? '1 person' : `${noted.length} people`}</summary>
      <ul>
        {noted.map(({ id, name, note }) => (
          <li key={id}>
            {name}: {note}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface GroupPartProps {
  question: BallotQuestion;
  group: Group;
  voters: Voter[];
  isBusy: boolean;
  onAnswers: (answers: string[]) => void;
  onToggle: (id: string) => void;
  onRemove: () => void;
}

/** From this number of people on there is a search. */
const SEARCH_FROM = 10;

function GroupPart({ question, group, voters, isBusy, onAnswers, onToggle, onRemove }: GroupPartProps) {
  const [search, setSearch] = useState('');
  const titleId = useId();
  const needle = search.trim().toLocaleLowerCase();
  const shown = voters.filter(({ name }) => name.toLocaleLowerCase().includes(needle));
  return (
    <section className={classes.group} aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.part}>
        Different answer ({votes(voters.filter(({ id }) => group.people.has(id)).length)})
      </h3>
      <BallotControl
        question={question}
        answers={group.answers}
        isDisabled={isBusy}
        labelledBy={titleId}
        describedBy={undefined}
        onChange={onAnswers}
      />
      <h4 className={classes.part}>For whom?</h4>
      {voters.length >= SEARCH_FROM ? (
        <TextInput
          type="search"
          size="md"
          aria-label="Search people"
          placeholder="Search people"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      <ul className={classes.people}>
        {shown.map(({ id, name, weight }) => (
          <li key={id}>
            <label className={classes.person}>
              <input
                type="checkbox"
                checked={group.people.has(id)}
                disabled={isBusy}
                onChange={() => onToggle(id)}
              />
              <span dir="auto">{name}</span>
              {weight === 1 ? null : <span className={classes.weight}>weight {weight}</span>}
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <p>Nobody found.</p> : null}
      <Button variant="subtle" size="md" disabled={isBusy} onClick={onRemove}>
        Remove this answer
      </Button>
    </section>
  );
}
