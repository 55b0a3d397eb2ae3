import { useMemo, useState } from 'react';
import { PAGE_SIZE } from '../../../api/page';
import type { ImportRow, ImportVerdict, ImportView } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { isTestPerson } from '../../../shared/test-data';
import { type Column, DataTable } from '../../../shared/ui/data-table';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ListFrame } from '../../../shared/ui/list-frame';
import { ListPages } from '../../../shared/ui/list-pages';
import { StatusBadge } from '../../../shared/ui/status-badge';
import { TwoLineCell } from '../../../shared/ui/two-line-cell';
import { VerdictEffect } from './verdict-effect';
import { VerdictFilter } from './verdict-filter';
import { type JudgedRow, judgedRows, VERDICTS } from './verdicts';

const COLUMNS: Column<JudgedRow>[] = [
  { header: 'Row', align: 'right', onPhone: 'fact', render: ({ view }) => view.line },
  {
    header: 'Person',
    onPhone: 'title',
    isTwoLine: true,
    render: ({ view }) => (
      <TwoLineCell main={view.name ?? 'No name'} sub={view.username} isTest={isTestPerson(view)} />
    ),
  },
  { header: 'Verdict', onPhone: 'fact', render: ({ view }) => <VerdictBadge verdict={view.verdict} /> },
  { header: 'What happens', onPhone: 'fact', render: (judged) => <VerdictEffect judged={judged} /> },
];

function VerdictBadge({ verdict }: { verdict: ImportVerdict }) {
  const found = VERDICTS.find((entry) => entry.verdict === verdict);
  return <StatusBadge tone={found?.tone ?? 'neutral'}>{found?.label ?? verdict}</StatusBadge>;
}

/** The effect of the import on each row, in pages: there may be 20,000 rows. */
export function VerdictTable({ rows, checked }: { rows: ImportRow[]; checked: ImportView }) {
  const [chosen, setChosen] = useState<ImportVerdict | null>(null);
  const [page, setPage] = useState(1);
  const judged = useMemo(() => judgedRows(rows, checked), [rows, checked]);
  const shown = useMemo(
    () => (chosen ? judged.filter(({ view }) => view.verdict === chosen) : judged),
    [judged, chosen],
  );

  function handleChoose(verdict: ImportVerdict | null) {
    setChosen(verdict);
    setPage(1);
  }

  return (
    <ListFrame
      heading={`Rows (${formatNumber(shown.length)})`}
      tools={
        <VerdictFilter
          counts={checked.counts}
          total={judged.length}
          chosen={chosen}
          onChoose={handleChoose}
        />
      }
    >
      {shown.length > 0 ? (
        <>
          <DataTable
            label="Rows"
            columns={COLUMNS}
            rows={shown.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
            rowKey={({ index }) => String(index)}
          />
          <ListPages label="Rows" page={page} total={shown.length} onPage={setPage} />
        </>
      ) : (
        <EmptyState title="No row is of this kind" />
      )}
    </ListFrame>
  );
}
