import { DateTimeInput } from '../../shared/ui/date-time-input';
import { FilterSelect } from '../../shared/ui/filter-select';
import { SearchInput } from '../../shared/ui/search-input';
import classes from './audit.module.css';
import { kindOptions } from './kinds';
import type { useAuditFilters } from './use-audit-filters';

/** The search and the filters of the audit log. */
export function AuditTools({ state }: { state: ReturnType<typeof useAuditFilters> }) {
  return (
    <>
      <SearchInput
        label="Search the log"
        value={state.search}
        onSearch={(text) => state.set('search', text)}
      />
      <SearchInput label="Person" value={state.person} onSearch={(text) => state.set('person', text)} />
      <FilterSelect
        label="Filter by kind"
        value={state.kind}
        options={[{ value: '', label: 'Everything' }, ...kindOptions]}
        onChange={(kind) => state.set('kind', kind)}
      />
      <div className={classes.dates}>
        <DateTimeInput
          type="date"
          aria-label="From this day"
          value={state.from}
          onChange={(event) => state.set('from', event.currentTarget.value)}
        />
        <DateTimeInput
          type="date"
          aria-label="To this day"
          value={state.to}
          onChange={(event) => state.set('to', event.currentTarget.value)}
        />
      </div>
    </>
  );
}
