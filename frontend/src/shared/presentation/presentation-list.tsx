import type { CSSProperties, ReactNode } from 'react';
import { formatNumber } from '../format';
import { listLayout } from './list-layout';
import classes from './presentation-question.module.css';

interface PresentationListProps {
  questionText: string;
  entries: {
    key: string | number;
    /** What there is to read, for the estimate of its width. */
    text: string;
    content: ReactNode;
  }[];
}

/** The possible answers in columns. Too many for a legible size are counted. */
export function PresentationList({ questionText, entries }: PresentationListProps) {
  const { columns, shown } = listLayout(
    entries.map(({ text }) => text),
    questionText,
  );
  return (
    <>
      <ol
        className={classes.options}
        data-columns={columns}
        style={{ '--rows': Math.ceil(shown / columns), '--columns': columns } as CSSProperties}
      >
        {entries.slice(0, shown).map(({ key, content }) => (
          <li key={key} className={classes.option}>
            {content}
          </li>
        ))}
      </ol>
      {shown < entries.length ? (
        <p className={classes.rest}>And {formatNumber(entries.length - shown)} more, on your device.</p>
      ) : null}
    </>
  );
}
