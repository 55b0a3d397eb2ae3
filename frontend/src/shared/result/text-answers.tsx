import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import type { Result } from '../../api/types';
import { countOf } from '../format';
import { ListPages } from '../ui/list-pages';
import { LoadError } from '../ui/load-error';
import { SearchInput } from '../ui/search-input';
import { resultQueries } from './queries';
import classes from './text-answers.module.css';
import { weightAmount } from './weight-names';

interface TextAnswersProps {
  meetingId: string;
  result: Pick<Result, 'roundId' | 'endedAt' | 'weightKind'>;
}

/** The answers in the voters' own words, without duplicates, searched by the server. */
export function TextAnswers({ meetingId, result }: TextAnswersProps) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const answers = useQuery(
    resultQueries.answers(meetingId, { id: result.roundId, endedAt: result.endedAt }, { search, page }),
  );

  function handleSearch(text: string) {
    setSearch(text);
    setPage(1);
  }

  return (
    <section>
      <div className={classes.search}>
        <SearchInput label="Search answers" value={search} onSearch={handleSearch} />
      </div>
      {answers.isError ? (
        <LoadError
          message={messageOf(answers.error, 'The answers could not be loaded')}
          isRetrying={answers.isFetching}
          onRetry={() => void answers.refetch()}
        />
      ) : null}
      {answers.isPending ? <LoadingAnswers /> : null}
      {answers.data ? (
        <>
          <p className={classes.count} role="status">
            {countWords(answers.data.total, search)}
          </p>
          <ul className={classes.list}>
            {answers.data.rows.map(({ text, heads, weight }) => (
              <li key={text} className={classes.entry}>
                <p className={classes.words} dir="auto">
                  {text}
                </p>
                <p className={classes.by}>
                  {countOf(heads, 'voter')}, {weightAmount(weight, result.weightKind)}
                </p>
              </li>
            ))}
          </ul>
          <ListPages label="answers" page={page} total={answers.data.total} onPage={setPage} />
        </>
      ) : null}
    </section>
  );
}

function countWords(total: number, search: string): string {
  if (search === '') {
    return total === 0 ? 'No answers were given.' : countOf(total, 'different answer');
  }
  return total === 0 ? 'No answer contains this text.' : `${countOf(total, 'answer')} found`;
}

function LoadingAnswers() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the answers...</VisuallyHidden>
      <Skeleton height={44} mt="xs" />
      <Skeleton height={44} mt="xs" />
      <Skeleton height={44} mt="xs" />
    </div>
  );
}
