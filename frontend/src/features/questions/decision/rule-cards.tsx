import { type ReactNode, useId } from 'react';
import type { DecisionKind } from './decision-form';
import classes from './rule-cards.module.css';

interface RuleCardsProps {
  kinds: { value: DecisionKind; label: string }[];
  value: DecisionKind;
  /** A result under a rule. */
  exampleOf: (kind: DecisionKind) => string;
  error: ReactNode;
  onChange: (kind: DecisionKind) => void;
}

/** The rules as cards of a radio group: each has its name and a result under it, as a chair would read it out. */
export function RuleCards({ kinds, value, exampleOf, error, onChange }: RuleCardsProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div>
      <p className={classes.label} id={`${id}-label`}>
        Decision rule
      </p>
      <div
        className={classes.cards}
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-describedby={error ? errorId : undefined}
        aria-invalid={error ? true : undefined}
        tabIndex={error ? -1 : undefined}
      >
        {kinds.map((kind) => (
          <label key={kind.value} className={classes.card} data-chosen={kind.value === value || undefined}>
            <input
              className={classes.input}
              type="radio"
              name={id}
              aria-labelledby={`${id}-${kind.value}-name`}
              aria-describedby={`${id}-${kind.value}-example`}
              checked={kind.value === value}
              onChange={() => onChange(kind.value)}
            />
            <span className={classes.texts}>
              <span className={classes.name} id={`${id}-${kind.value}-name`}>
                {kind.label}
              </span>
              <span className={classes.example} id={`${id}-${kind.value}-example`}>
                {exampleOf(kind.value)}
              </span>
            </span>
          </label>
        ))}
      </div>
      {error ? (
        <p className={classes.error} id={errorId}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
