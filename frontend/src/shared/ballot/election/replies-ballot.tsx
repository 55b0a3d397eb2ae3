import { useId } from 'react';
import type { BallotCandidate, CandidateReply } from '../../elections/election-types';
import { readReplies } from '../../elections/marks';
import { writeReplies } from '../../elections/marks-writing';
import { OptionSign } from '../../result/option-sign';
import ballot from '../ballot-controls.module.css';
import { CandidateAbout, CandidateText } from './candidate-text';
import classes from './election.module.css';
import type { MarksProps } from './marks-props';

const REPLIES: { value: CandidateReply; label: string }[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: 'abstain', label: 'Abstain' },
];

/** Yes, no or abstain for each candidate. */
export function RepliesBallot(props: MarksProps) {
  const { candidates, answers, isDisabled, labelledBy, describedBy, onChange } = props;
  const replies = readReplies(answers);

  function handleReply({ number, name }: BallotCandidate, reply: CandidateReply) {
    const next = new Map(replies).set(number, reply);
    const inOrder = candidates.flatMap((one) => {
      const given = next.get(one.number);
      return given ? [[one.number, given] as const] : [];
    });
    onChange(writeReplies(new Map(inOrder)), `${name}: ${reply}.`);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would repeat the question as its legend.
    <div role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      <ul className={classes.list}>
        {candidates.map((candidate) => (
          <ReplyRow
            key={candidate.number}
            candidate={candidate}
            reply={replies.get(candidate.number)}
            isDisabled={isDisabled}
            onReply={(reply) => handleReply(candidate, reply)}
          />
        ))}
      </ul>
    </div>
  );
}

interface ReplyRowProps {
  candidate: BallotCandidate;
  reply: CandidateReply | undefined;
  isDisabled: boolean;
  onReply: (reply: CandidateReply) => void;
}

function ReplyRow({ candidate, reply, isDisabled, onReply }: ReplyRowProps) {
  const id = useId();
  return (
    <li className={classes.card}>
      <div id={id} className={classes.cardName}>
        <CandidateText candidate={candidate} />
      </div>
      {candidate.isWithdrawn ? null : (
        <div className={classes.replies} role="radiogroup" aria-labelledby={id}>
          {REPLIES.map(({ value, label }) => (
            <label
              key={value}
              className={classes.reply}
              data-chosen={reply === value}
              data-disabled={isDisabled}
            >
              <input
                className={ballot.input}
                type="radio"
                name={`${id}-reply`}
                checked={reply === value}
                disabled={isDisabled}
                onChange={() => onReply(value)}
              />
              <OptionSign role={value} size={18} />
              <span>{label}</span>
              <span className={ballot.ring} aria-hidden="true" />
            </label>
          ))}
        </div>
      )}
      <CandidateAbout candidate={candidate} />
    </li>
  );
}
