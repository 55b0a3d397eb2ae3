import { IconStarFilled } from '@tabler/icons-react';
import type { AnswerWall as Wall } from '../../api/types';
import { countOf, formatNumber } from '../format';
import classes from './answer-wall.module.css';

/** The answers to a text question as cards: picked ones, groups with their sum, then others by frequency. */
export function AnswerWall({ wall: { cards, more, hidden } }: { wall: Wall }) {
  return (
    <div className={classes.root} data-cards={sizeOf(cards.length)}>
      <ul className={classes.cards}>
        {cards.map(({ kind, text, heads, differentAnswers }) => (
          <li key={`${kind} ${text}`} className={classes.card} data-kind={kind}>
            <p className={classes.words} dir="auto">
              {kind === 'PICKED' ? <IconStarFilled className={classes.sign} aria-label="Picked" /> : null}
              {text}
            </p>
            <p className={classes.heads}>
              <strong>{formatNumber(heads)}</strong>
              {kind === 'GROUP' ? ` in ${countOf(differentAnswers, 'different answer')}` : null}
            </p>
          </li>
        ))}
      </ul>
      <p className={classes.note}>
        {[countWords('more answer', more), hiddenWords(hidden)].join(' ').trim()}
      </p>
    </div>
  );
}

function countWords(what: string, number: number): string {
  return number > 0 ? `${countOf(number, what)}.` : '';
}

/** The number of answers that the organizer hid. */
export function hiddenWords(hidden: number): string {
  return hidden > 0 ? `${countOf(hidden, 'answer')} ${hidden === 1 ? 'is' : 'are'} not shown.` : '';
}

function sizeOf(cards: number): 'few' | 'some' | 'many' {
  if (cards <= 6) {
    return 'few';
  }
  return cards <= 20 ? 'some' : 'many';
}
