import { Button } from '@mantine/core';
import type { AnswerCuration } from '../../../api/types';
import { countOf } from '../../../shared/format';
import classes from './answers-panel.module.css';
import { type Change, withoutGroup } from './curation';

interface AnswerGroupsProps {
  groups: AnswerCuration['groups'];
  onChange: Change;
}

/** The groups with their sums. */
export function AnswerGroups({ groups, onChange }: AnswerGroupsProps) {
  return groups.length > 0 ? (
    <section aria-labelledby="answer-groups">
      <h3 id="answer-groups" className={classes.title}>
        Groups
      </h3>
      <ul className={classes.list}>
        {groups.map(({ name, answers, heads }) => (
          <li key={name} className={classes.entry}>
            <p className={classes.words} dir="auto">
              {name}
              <span className={classes.quiet}>
                {countOf(heads, 'voter')}, {countOf(answers.length, 'different answer')}
              </span>
            </p>
            <Button
              variant="default"
              size="sm"
              aria-label={`Ungroup ${name}`}
              onClick={() => onChange((parts) => withoutGroup(parts, name))}
            >
              Ungroup
            </Button>
          </li>
        ))}
      </ul>
    </section>
  ) : null;
}
