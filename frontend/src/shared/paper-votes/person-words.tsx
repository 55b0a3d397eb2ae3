import { type NamedKind, weightAmount } from '../result/weight-names';
import rows from '../ui/named-rows.module.css';
import classes from './paper-votes.module.css';

interface PersonWordsProps {
  person: { name: string; username: string; weight: number };
  /** The kind that the question counts as weight. */
  kind: NamedKind;
}

/** The name of a person in a batch, with what tells people of the same name apart. */
export function PersonWords({ person: { name, username, weight }, kind }: PersonWordsProps) {
  return (
    <span className={`${rows.who} ${classes.words}`}>
      <span className={rows.name} dir="auto">
        {name}
      </span>
      <span className={classes.quiet}>
        {username}, {weightAmount(weight, kind)}
      </span>
    </span>
  );
}
