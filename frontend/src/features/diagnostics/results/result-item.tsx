import type { ResultEntry } from '../../../shared/diagnostics/run/runner';
import { formatDateTime, formatExact } from '../../../shared/format';
import { CopyButton } from '../../../shared/ui/copy-button';
import { jsonOf } from './report';
import classes from './result-item.module.css';
import { durationOf } from './verdict-labels';
import { VerdictSign } from './verdict-sign';

/** Longer details are folded. */
const LINES_SHOWN = 12;

export function ResultItem({ entry }: { entry: ResultEntry }) {
  const { name, status, message, details, at, ms } = entry;
  const iso = at.toISOString();
  const seconds = String(at.getSeconds()).padStart(2, '0');
  return (
    <li className={classes.root}>
      <div className={classes.head}>
        <VerdictSign status={status} />
        <h3 className={classes.name}>{name}</h3>
        <p className={classes.time}>
          <time dateTime={iso} title={formatExact(iso)}>
            {formatDateTime(iso)}:{seconds}
          </time>
          {ms === null ? null : ` · ${durationOf(ms)}`}
        </p>
      </div>
      <p className={classes.message}>{message}</p>
      {details === undefined ? null : <Details name={name} json={jsonOf(details)} />}
    </li>
  );
}

function Details({ name, json }: { name: string; json: string }) {
  const isShort = json.split('\n').length <= LINES_SHOWN;
  return (
    <details className={classes.details} open={isShort}>
      <summary className={classes.summary}>Details</summary>
      <div className={classes.json}>
        <span className={classes.copy}>
          <CopyButton text={json} label={`Copy the details of ${name}`} />
        </span>
        <pre className={classes.text}>{json}</pre>
      </div>
    </details>
  );
}
