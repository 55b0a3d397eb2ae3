import { type ComponentType, type SyntheticEvent, useState } from 'react';
import type { Result } from '../../../api/types';
import disclosure from './disclosure.module.css';
import classes from './result-details.module.css';

type Body = ComponentType<{ result: Result }>;

/** Everything about a result that few people look for, so it is loaded when somebody does. */
export function ResultDetails({ result }: { result: Result }) {
  const [body, setBody] = useState<{ Body: Body } | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  function handleToggle({ currentTarget }: SyntheticEvent<HTMLDetailsElement>) {
    if (currentTarget.open && !body) {
      setHasFailed(false);
      import('./details-body').then(
        ({ DetailsBody }) => setBody({ Body: DetailsBody }),
        () => setHasFailed(true),
      );
    }
  }

  return (
    <details className={classes.root} onToggle={handleToggle}>
      <summary className={`${disclosure.summary} ${classes.summary}`}>Details</summary>
      <div className={classes.body}>
        {body ? <body.Body result={result} /> : null}
        {hasFailed ? (
          <p role="alert">The details cannot be loaded without a network. Open them again later.</p>
        ) : null}
      </div>
    </details>
  );
}
