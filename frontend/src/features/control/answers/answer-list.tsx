import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/api-error';
import type { CuratedAnswer } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { FilterSelect } from '../../../shared/ui/filter-select';
import { ListPages } from '../../../shared/ui/list-pages';
import { LoadError } from '../../../shared/ui/load-error';
import { SearchInput } from '../../../shared/ui/search-input';
import classes from './answers-panel.module.css';
import { type Change, withHidden, without, withPicked } from './curation';
import { type AnswerFilters, answerQueries } from './queries';

interface AnswerListProps {
  meetingId: string;
  roundId: string;
  selected: readonly string[];
  onSelect: (ids: readonly string[]) => void;
  onChange: Change;
}

const PLACES: { value: AnswerFilters['place']; label: string }[] = [
  { value: '', label: 'All answers' },
  { value: 'PICKED', label: 'Picked' },
  { value: 'GROUPED', label: 'In a group' },
  { value: 'HIDDEN', label: 'Hidden' },
  { value: 'OTHER', label: 'Others' },
];

const PLACE_WORDS = { PICKED: ', picked', GROUPED: ', in a group', HIDDEN: ', hidden', OTHER: '' };

/** The different answers, the most frequent first. */
export function AnswerList({ meetingId, roundId, selected, onSelect, onChange }: AnswerListProps) {
  const [filters, setFilters] = useState<AnswerFilters>({ search: '', page: 1, place: '' });
  const answers = useQuery(answerQueries.list(meetingId, roundId, filters));

  function handleSelect(id: string) {
    onSelect(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  }

  return (
    <section className={classes.answers} aria-label="Answers">
      <div className={classes.filters}>
        <SearchInput
          label="Search answers"
          value={filters.search}
          onSearch={(search) => setFilters({ ...filters, search, page: 1 })}
        />
        <FilterSelect
          label="Answers to list"
          value={filters.place}
          options={PLACES}
          onChange={(place) => setFilters({ ...filters, place, page: 1 })}
        />
      </div>
      {answers.isError ? (
        <LoadError
          message={messageOf(answers.error, 'The answers could not be loaded')}
          isRetrying={answers.isFetching}
          onRetry={() => void answers.refetch()}
        />
      ) : null}
      {answers.data ? (
        <>
          <p className={classes.count}>
            {answers.data.total === 0 ? 'No answers' : countOf(answers.data.total, 'different answer')}
          </p>
          <ul className={classes.list}>
            {answers.data.rows.map((answer) => (
              <Answer
                key={answer.id}
                answer={answer}
                isSelected={selected.includes(answer.id)}
                onSelect={() => handleSelect(answer.id)}
                onChange={onChange}
              />
            ))}
          </ul>
          <ListPages
            label="answers"
            page={filters.page}
            total={answers.data.total}
            onPage={(page) => setFilters({ ...filters, page })}
          />
        </>
      ) : null}
    </section>
  );
}

interface AnswerProps {
  answer: CuratedAnswer;
  isSelected: boolean;
  onSelect: () => void;
  onChange: Change;
}

function Answer({ answer: { id, text, heads, place }, isSelected, onSelect, onChange }: AnswerProps) {
  const name = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const isPicked = place === 'PICKED';
  const isHidden = place === 'HIDDEN';
  return (
    <li className={classes.entry} data-hidden={isHidden}>
      <Checkbox aria-label={`Select ${name}`} checked={isSelected} onChange={onSelect} />
      <p className={classes.words} dir="auto">
        {text}
        <span className={classes.quiet}>
          {countOf(heads, 'voter')}
          {PLACE_WORDS[place]}
        </span>
      </p>
      <Button
        variant="default"
        size="sm"
        aria-label={`${isPicked ? 'Unpick' : 'Pick'} ${name}`}
        onClick={() => onChange((parts) => (isPicked ? without(parts, [id]) : withPicked(parts, id)), [id])}
      >
        {isPicked ? 'Unpick' : 'Pick'}
      </Button>
      <Button
        variant="default"
        size="sm"
        aria-label={`${isHidden ? 'Unhide' : 'Hide'} ${name}`}
        onClick={() => onChange((parts) => (isHidden ? without(parts, [id]) : withHidden(parts, [id])), [id])}
      >
        {isHidden ? 'Unhide' : 'Hide'}
      </Button>
    </li>
  );
}
