import { countOf } from '../../shared/format';
import { ExportMenu } from '../../shared/ui/export-menu';
import { useExportEndUsers } from './mutations';
import type { EndUserSelection } from './queries';

interface ExportEndUsersMenuProps {
  /** The search and the filter of the list, which apply to the file too. */
  selection: EndUserSelection;
  /** The number of end users in the selection; `undefined` while it is unknown. */
  count: number | undefined;
}

/** Exports the whole list and not only the current page. */
export function ExportEndUsersMenu({ selection, count }: ExportEndUsersMenuProps) {
  const exportEndUsers = useExportEndUsers();
  const content = describe(selection, count);
  return (
    <ExportMenu
      buttonLabel="Export"
      menuLabel={`Export: ${content}`}
      sections={[{ label: content, formats: ['csv', 'xlsx'] }]}
      isBusy={exportEndUsers.isPending}
      variant="default"
      onExport={(format) => exportEndUsers.mutate({ ...selection, format, count })}
    />
  );
}

function describe({ search, status, groupId }: EndUserSelection, count: number | undefined): string {
  const people = count === undefined ? 'end users' : countOf(count, 'end user');
  return search || status || groupId ? `Only the ${people} found` : `All ${people}`;
}
