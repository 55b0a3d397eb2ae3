import { useId, useRef, useState } from 'react';
import { useUser } from '../../../api/use-session';
import { orderedCandidates } from '../../elections/ballot-order';
import type { ElectionPaper } from '../../elections/election-types';
import { ABSTAIN, BLANK, isAbstention, isBlank } from '../../elections/marks';
import { spokenRole } from '../../option-roles';
import type { BallotControlProps } from '../ballot-control-props';
import { OptionRow } from '../option-row';
import { ChoicesBallot } from './choices-ballot';
import { countsWords } from './counts-words';
import classes from './election.module.css';
import { ListBallot } from './list-ballot';
import type { MarksProps } from './marks-props';
import { MarksStatus } from './marks-status';
import { PointsBallot } from './points-ballot';
import { RankingBallot } from './ranking-ballot';
import { RepliesBallot } from './replies-ballot';

interface ElectionControlProps extends BallotControlProps {
  election: ElectionPaper;
}

/** The ballot of an election: the marks of its method, an abstention, and a blank ballot where it is possible. */
export function ElectionControl(props: ElectionControlProps) {
  const { election, question, answers, isDisabled, labelledBy, describedBy, orderKey, onChange } = props;
  const user = useUser();
  const [said, setSaid] = useState('');
  const candidates = orderedCandidates(election, orderKey ?? user?.id ?? question.roundId ?? question.id);
  const isWithoutMarks = isAbstention(answers) || isBlank(answers);

  function handleMarks(next: string[], words: string) {
    setSaid(words);
    onChange(next);
  }

  return (
    <div className={classes.root}>
      <MarksStatus counts={countsWords(election, answers)} said={said} />
      <Marks
        election={election}
        candidates={candidates}
        answers={isWithoutMarks ? [] : answers}
        isDisabled={isDisabled}
        labelledBy={labelledBy}
        describedBy={describedBy}
        onChange={handleMarks}
      />
      <WithoutMarks
        canLeaveBlank={election.canLeaveBlank}
        answers={answers}
        isDisabled={isDisabled}
        onChange={handleMarks}
      />
    </div>
  );
}

function Marks(props: MarksProps) {
  switch (props.election.marks) {
    case 'choices':
      return <ChoicesBallot {...props} />;
    case 'answers':
      return <RepliesBallot {...props} />;
    case 'points':
      return <PointsBallot {...props} />;
    case 'ranking':
      return <RankingBallot {...props} />;
    case 'list':
      return <ListBallot {...props} />;
  }
}

interface WithoutMarksProps {
  canLeaveBlank: boolean;
  answers: string[];
  isDisabled: boolean;
  onChange: (answers: string[], said: string) => void;
}

/** The answers that stand alone. Each clears the marks, and clearing it again brings them back. */
function WithoutMarks({ canLeaveBlank, answers, isDisabled, onChange }: WithoutMarksProps) {
  const name = useId();
  const headId = useId();
  const cleared = useRef<string[]>([]);

  function handleToggle(answer: string, said: string) {
    if (answers[0] === answer) {
      const back = cleared.current;
      cleared.current = [];
      onChange(back, back.length > 0 ? 'Your marks are back.' : '');
      return;
    }
    const standsAlone = isAbstention(answers) || isBlank(answers);
    const hasMarks = answers.length > 0 && !standsAlone;
    if (!standsAlone) {
      // Also without marks: those before were taken off by hand.
      cleared.current = answers;
    }
    onChange([answer], `${said}${hasMarks ? ' Your marks are cleared.' : ''}`);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn with this line above it in every browser.
    <div className={classes.apart} role="group" aria-labelledby={headId}>
      <p className={classes.apartHead} id={headId}>
        For the whole ballot
      </p>
      <OptionRow
        type="checkbox"
        name={name}
        text="Abstain"
        role={spokenRole('abstain')}
        isChosen={isAbstention(answers)}
        isDisabled={isDisabled}
        onToggle={() => handleToggle(ABSTAIN, 'You abstain.')}
      />
      {canLeaveBlank ? (
        <OptionRow
          type="checkbox"
          name={name}
          text="Leave blank"
          isChosen={isBlank(answers)}
          isDisabled={isDisabled}
          onToggle={() => handleToggle(BLANK, 'You leave the ballot blank.')}
        />
      ) : null}
    </div>
  );
}
