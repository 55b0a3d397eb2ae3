import { useAddressParams } from '../../shared/use-address-params';
import { isKind } from './kinds';
import type { AuditFilters } from './queries';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

type Field = 'search' | 'person' | 'kind' | 'from' | 'to';

/** The filters of the audit log, kept in the address. Days are those of this device. */
export function useAuditFilters() {
  const { params, change } = useAddressParams();
  const search = params.get('search')?.trim() ?? '';
  const person = params.get('person')?.trim() ?? '';
  const kindText = params.get('kind');
  const kind = isKind(kindText) ? kindText : '';
  const from = readDay(params.get('from'));
  const to = readDay(params.get('to'));
  const start = from ? startOf(from, 0) : undefined;
  const end = to ? startOf(to, 1) : undefined;
  const filters: AuditFilters = {
    ...(search ? { search } : {}),
    ...(person ? { person } : {}),
    ...(kind ? { kind } : {}),
    ...(start ? { from: start } : {}),
    ...(end ? { until: end } : {}),
  };

  return {
    search,
    person,
    kind,
    from,
    to,
    filters,
    isNarrowed: Object.keys(filters).length > 0,
    // Typing creates no history entries.
    set: (field: Field, value: string) => change({ [field]: value.trim() }, { replace: true }),
    clear: () => change({ search: '', person: '', kind: '', from: '', to: '' }),
  };
}

/** An address that a person typed may contain anything. */
function readDay(text: string | null): string {
  return text !== null && DAY.test(text) && startOf(text, 0) !== undefined ? text : '';
}

/** The start of a day in this device's time zone, `later` days afterwards. */
function startOf(day: string, later: number): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + later);
  return year < 1900 || year > 9998 || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
