import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import { type HTMLAttributes, useEffect, useId, useRef } from 'react';
import type { ElectionPaper } from '../../elections/election-types';
import { nameOf } from '../../elections/marks';
import { isEqualToBefore, move, moveTo, rankOf, remove, toggleEqual } from '../../elections/ranking';
import { useRowDrag } from '../../ui/use-row-drag';
import classes from './election.module.css';
import { StepButton } from './points-ballot';

interface RankedListProps {
  election: ElectionPaper;
  /** The number of candidates that can be ranked. */
  standing: number;
  ranks: number[][];
  isDisabled: boolean;
  onChange: (ranks: number[][], said: string) => void;
}

/** The ranked candidates in their order. Buttons change it, or dragging. */
export function RankedList({ election, standing, ranks, isDisabled, onChange }: RankedListProps) {
  const id = useId();
  const { list, keepFocus } = useFocusAfterMove(ranks);
  const ranked = ranks.flat();
  const name = (number: number) => nameOf(election, number);

  function handleMove(number: number, direction: 'up' | 'down') {
    const next = move(ranks, number, direction);
    keepFocus(`${number}-${direction}`);
    onChange(next, `${name(number)} is now your choice ${rankOf(next, number)} of ${standing}.`);
  }

  function handleDrop(number: number, to: number) {
    const target = ranked[to];
    if (target !== undefined) {
      const next = moveTo(ranks, number, target);
      onChange(next, `${name(number)} is now your choice ${rankOf(next, number)} of ${standing}.`);
    }
  }

  const drag = useRowDrag(ranked, isDisabled ? undefined : handleDrop);
  const rows = atRanks(
    ranks,
    ranked.map((_, index) => drag.rowOf(index)),
  );

  function handleRemove(number: number) {
    const index = ranked.indexOf(number);
    const neighbour = ranked[index + 1] ?? ranked[index - 1];
    keepFocus(neighbour === undefined ? null : `${neighbour}-remove`);
    onChange(remove(ranks, number), `${name(number)} is no longer ranked.`);
  }

  function handleEqual(number: number) {
    const next = toggleEqual(ranks, number);
    const words = isEqualToBefore(next, number) ? 'has the same rank as the one before' : 'has an own rank';
    onChange(next, `${name(number)} ${words}: ${rankOf(next, number)}.`);
  }

  if (ranked.length === 0) {
    return null;
  }
  return (
    <section className={classes.ranking} aria-labelledby={id}>
      <h3 className={classes.rankingHead} id={id}>
        Your ranking
      </h3>
      <ol ref={list} className={classes.list}>
        {ranked.map((number, index) => (
          <RankedItem
            key={number}
            number={number}
            name={name(number)}
            rank={rankOf(ranks, number)}
            canMoveUp={!isDisabled && (index > 0 || isShared(ranks, number))}
            canMoveDown={!isDisabled && (index < ranked.length - 1 || isShared(ranks, number))}
            isDisabled={isDisabled}
            isEqual={election.allowsEqual && index > 0 ? isEqualToBefore(ranks, number) : null}
            onMove={(direction) => handleMove(number, direction)}
            onRemove={() => handleRemove(number)}
            onEqual={() => handleEqual(number)}
            row={rows[index] ?? {}}
            handle={isDisabled ? null : drag.handleOf(index)}
          />
        ))}
      </ol>
    </section>
  );
}

interface Row {
  'data-row'?: number | undefined;
  'data-drop'?: string | undefined;
  'data-dragged'?: true | undefined;
}

/** A candidate is dropped before or after a whole rank, so the mark is at its first or last item. */
function atRanks(ranks: number[][], rows: Row[]): Row[] {
  const listed = ranks.flat();
  const over = rows.findIndex((row) => row['data-drop'] !== undefined);
  const mark = rows[over]?.['data-drop'];
  const rank = ranks.find((numbers) => numbers.includes(listed[over] ?? 0)) ?? [];
  const edge = listed.indexOf((mark === 'before' ? rank[0] : rank.at(-1)) ?? 0);
  return rows.map((row, index) => ({ ...row, 'data-drop': index === edge ? mark : undefined }));
}

function isShared(ranks: number[][], number: number): boolean {
  return ranks.some((rank) => rank.length > 1 && rank.includes(number));
}

/** A moved item is another place of the page: its button gets the focus back. */
function useFocusAfterMove(ranks: number[][]) {
  const list = useRef<HTMLOListElement>(null);
  const next = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the items are in their new order.
  useEffect(() => {
    if (next.current !== null) {
      list.current?.querySelector<HTMLElement>(`[data-focus="${next.current}"] button`)?.focus();
      next.current = null;
    }
  }, [ranks]);

  return {
    list,
    keepFocus: (place: string | null) => {
      next.current = place;
    },
  };
}

interface RankedItemProps {
  number: number;
  name: string;
  rank: number;
  canMoveUp: boolean;
  canMoveDown: boolean;
  isDisabled: boolean;
  /** Null where it cannot share the rank of the one before. */
  isEqual: boolean | null;
  onMove: (direction: 'up' | 'down') => void;
  onRemove: () => void;
  onEqual: () => void;
  /** Marks the item while something is dragged. */
  row: Row;
  /** What drags the item; null if it stays. */
  handle: HTMLAttributes<HTMLSpanElement> | null;
}

function RankedItem(props: RankedItemProps) {
  const { number, name, rank, canMoveUp, canMoveDown, isDisabled, isEqual, onMove, onRemove, onEqual } =
    props;
  const { row, handle } = props;
  return (
    <li className={classes.ranked} data-equal={isEqual === true} {...row}>
      <span className={classes.rankedName}>
        {handle === null ? null : (
          <span className={classes.grip} title="Drag to another place" {...handle}>
            <IconGripVertical size={20} stroke={1.75} aria-hidden="true" />
          </span>
        )}
        <span className={classes.rankNumber}>{rank}</span>
        <span dir="auto">{name}</span>
      </span>
      <span className={classes.rankedButtons}>
        <span data-focus={`${number}-up`}>
          <StepButton label={`Move ${name} up`} isOn={canMoveUp} onPress={() => onMove('up')}>
            <IconArrowUp size={20} stroke={2} aria-hidden="true" />
          </StepButton>
        </span>
        <span data-focus={`${number}-down`}>
          <StepButton label={`Move ${name} down`} isOn={canMoveDown} onPress={() => onMove('down')}>
            <IconArrowDown size={20} stroke={2} aria-hidden="true" />
          </StepButton>
        </span>
        <span data-focus={`${number}-remove`}>
          <StepButton label={`Remove ${name} from the ranking`} isOn={!isDisabled} onPress={onRemove}>
            <IconX size={20} stroke={2} aria-hidden="true" />
          </StepButton>
        </span>
      </span>
      {isEqual === null ? null : (
        <button
          type="button"
          className={classes.equal}
          aria-pressed={isEqual}
          aria-label={`Same rank as the one before: ${name}`}
          disabled={isDisabled}
          onClick={onEqual}
        >
          Same rank as the one before
        </button>
      )}
    </li>
  );
}
