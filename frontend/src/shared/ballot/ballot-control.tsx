import type { BallotControlProps } from './ballot-control-props';
import { ChoiceControl } from './choice-control';
import { ChoicesControl } from './choices-control';
import { LazyElectionControl } from './lazy-election-control';
import { PercentageControl } from './percentage-control';
import { RatingControl } from './rating-control';
import { TextControl } from './text-control';

/** The control for the question's type. */
export function BallotControl(props: BallotControlProps) {
  switch (props.question.type) {
    case 'SINGLE_CHOICE':
      return <ChoiceControl {...props} />;
    case 'MULTIPLE_CHOICE':
      return <ChoicesControl {...props} />;
    case 'RATING':
      return <RatingControl {...props} />;
    case 'PERCENTAGE':
      return <PercentageControl {...props} />;
    case 'ELECTION':
      // A server that knows elections always sends it.
      return props.question.election ? (
        <LazyElectionControl {...props} election={props.question.election} />
      ) : null;
    case 'TEXT':
      return <TextControl {...props} />;
  }
}
