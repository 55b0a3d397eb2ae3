import { Button, Group } from '@mantine/core';
import { IconArrowsExchange, IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { ApiError, hintOf, referenceOf } from '../../api/api-error';
import type { GivenProxy, ProxySettings } from '../../api/types';
import { formatDateTime, formatNumber } from '../../shared/format';
import { ListView } from '../../shared/list/list-view';
import { useListState } from '../../shared/list/use-list-state';
import { useRowTask } from '../../shared/list/use-row-task';
import { paths } from '../../shared/paths';
import { type NamedKind, weightHead } from '../../shared/result/weight-names';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import type { Column } from '../../shared/ui/data-table';
import { ErrorState } from '../../shared/ui/error-state';
import { ExportMenu } from '../../shared/ui/export-menu';
import { FormPanel } from '../../shared/ui/form-panel';
import { PageHead } from '../../shared/ui/page-head';
import { RowActions } from '../../shared/ui/row-actions';
import { StatusBadge } from '../../shared/ui/status-badge';
import { TestMeetingNote } from '../../shared/ui/test-meeting-note';
import { toast } from '../../shared/ui/toast';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { useMeetingKind } from '../../shared/weights/use-meeting-kind';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from '../questions/queries';
import { GrantForm } from './grant-form';
import { HoldersCard } from './holders-card';
import { ImportPanel } from './import-panel';
import { useExportProxies, useRevokeProxy } from './mutations';
import { proxyQueries } from './queries';
import { SettingsForm } from './settings-form';

const BACK = { to: paths.clientMeetings, label: 'Back to Meetings' };

/** The proxies of a meeting. */
export function ProxiesPage() {
  const { meetingId = '' } = useParams();
  const settings = useQuery(proxyQueries.settings(meetingId));

  if (settings.data) {
    return <Proxies key={meetingId} meetingId={meetingId} settings={settings.data} />;
  }
  const isMissing = settings.error instanceof ApiError && settings.error.status === 404;
  return (
    <>
      <PageHead title="Proxies" description="..." back={BACK} />
      {settings.isError ? (
        <ErrorState
          title={isMissing ? 'Meeting not found' : 'Failed to load the proxies'}
          hint={isMissing ? 'It may have been deleted.' : hintOf(settings.error)}
          {...(isMissing
            ? {}
            : {
                reference: referenceOf(settings.error),
                onRetry: () => void settings.refetch(),
                isRetrying: settings.isFetching,
              })}
        />
      ) : null}
    </>
  );
}

const columns = (kind: NamedKind): Column<GivenProxy>[] => [
  {
    header: 'Principal',
    onPhone: 'title',
    render: ({ principal }) => <TwoLineCell main={principal.name} sub={principal.username} />,
  },
  {
    header: weightHead(kind),
    align: 'right',
    onPhone: 'hidden',
    render: ({ weight }) => formatNumber(weight),
  },
  {
    header: 'Holder',
    onPhone: 'fact',
    render: ({ holder }) => <TwoLineCell main={holder.name} sub={holder.username} />,
  },
  {
    header: 'For',
    onPhone: 'hidden',
    render: ({ questionIds }) =>
      questionIds === null
        ? 'Whole meeting'
        : questionIds.length === 1
          ? '1 question'
          : `${questionIds.length} questions`,
  },
  { header: 'Reference', onPhone: 'hidden', render: ({ reference }) => reference ?? '' },
  {
    header: 'Granted',
    onPhone: 'hidden',
    render: ({ grantedAt, grantedBy, isByPrincipal }) =>
      `${formatDateTime(grantedAt)}, ${isByPrincipal ? 'by the principal' : `by ${grantedBy}`}`,
  },
  { header: 'Status', isUnbroken: true, onPhone: 'fact', render: (proxy) => <ProxyBadge proxy={proxy} /> },
];

function ProxyBadge({ proxy }: { proxy: GivenProxy }) {
  if (proxy.revokedAt !== null) {
    return <StatusBadge tone="neutral">Revoked</StatusBadge>;
  }
  return (
    <StatusBadge tone={proxy.rests ? 'neutral' : 'good'}>{proxy.rests ? 'Rests' : 'In force'}</StatusBadge>
  );
}

function Proxies({ meetingId, settings }: { meetingId: string; settings: ProxySettings }) {
  const list = useListState({ filters: ['revoked'] });
  const proxies = useQuery(
    proxyQueries.list(meetingId, {
      page: list.page,
      ...(list.search ? { search: list.search } : {}),
      ...(list.filter ? { revoked: true } : {}),
    }),
  );
  const meeting = useQuery(meetingQueries.detail(meetingId));
  const kind = useMeetingKind(meetingId);
  const revoke = useRevokeProxy(meetingId);
  const task = useRowTask<'revoke', GivenProxy>();
  const [panel, setPanel] = useState<Panel | null>(null);

  return (
    <>
      <PageHead
        title="Proxies"
        description={descriptionOf(settings)}
        back={BACK}
        action={<HeadActions meetingId={meetingId} isOn={settings.isOn} onOpen={setPanel} />}
      />
      <TestMeetingNote title={meeting.data?.title} />
      <ListView
        heading="Proxies"
        list={list}
        query={proxies}
        columns={columns(kind)}
        rowKey={({ id }) => id}
        actions={(proxy) => (
          <RowActions
            name={proxy.principal.name}
            actions={[
              {
                label: 'Revoke',
                icon: IconBan,
                isDangerous: true,
                refusal: proxy.revokedAt === null ? undefined : 'The proxy is already revoked',
                onClick: () => task.start('revoke', proxy),
              },
            ]}
          />
        )}
        searchLabel="Search proxies"
        filter={{ all: 'In force', options: [{ value: 'revoked', label: 'With revoked ones' }] }}
        loadingText="Loading proxies..."
        errorText="Failed to load the proxies"
        emptyIcon={IconArrowsExchange}
        emptyTitle="No proxies"
        emptyHint={
          settings.isOn ? 'Grant the first one, or import a file.' : 'Switch them on in the settings first.'
        }
      />
      <HoldersCard meetingId={meetingId} settings={settings} />
      <ProxyPanels meetingId={meetingId} panel={panel} onClose={() => setPanel(null)} />
      <ConfirmDialog
        opened={task.isOn('revoke')}
        onClose={task.end}
        title="Revoke this proxy?"
        confirmLabel="Revoke proxy"
        isDangerous
        onConfirm={async () => {
          if (task.row) {
            await revoke.mutateAsync(task.row);
            toast.success('Proxy revoked');
          }
        }}
      >
        {task.row ? `${task.row.holder.name} can no longer vote for ${task.row.principal.name}. ` : null}
        Votes that were cast stand.
      </ConfirmDialog>
    </>
  );
}

type Panel = 'grant' | 'import' | 'settings';

interface HeadActionsProps {
  meetingId: string;
  /** Whether votes can be cast by proxy. */
  isOn: boolean;
  onOpen: (panel: Panel) => void;
}

function HeadActions({ meetingId, isOn, onOpen }: HeadActionsProps) {
  const exportProxies = useExportProxies(meetingId);
  return (
    <Group gap="xs">
      <Button variant={isOn ? 'default' : 'filled'} onClick={() => onOpen('settings')}>
        Settings
      </Button>
      {isOn ? (
        <>
          <Button variant="default" onClick={() => onOpen('import')}>
            Import
          </Button>
          <ExportMenu
            buttonLabel="Export"
            menuLabel="Export all proxies"
            sections={[{ formats: ['csv', 'xlsx'] }]}
            isBusy={exportProxies.isPending}
            variant="default"
            onExport={(format) => exportProxies.mutate(format)}
          />
          <Button onClick={() => onOpen('grant')}>Grant proxy</Button>
        </>
      ) : null}
    </Group>
  );
}

interface ProxyPanelsProps {
  meetingId: string;
  /** The open panel. */
  panel: Panel | null;
  onClose: () => void;
}

function ProxyPanels({ meetingId, panel, onClose }: ProxyPanelsProps) {
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  return (
    <>
      <FormPanel opened={panel === 'grant'} onClose={onClose} title="Grant proxy">
        <GrantForm meetingId={meetingId} onDone={onClose} />
      </FormPanel>
      <FormPanel opened={panel === 'import'} onClose={onClose} title="Import proxies">
        <ImportPanel meetingId={meetingId} onDone={onClose} />
      </FormPanel>
      <FormPanel opened={panel === 'settings'} onClose={onClose} title="Proxy settings">
        <SettingsForm meetingId={meetingId} questions={questions.data ?? []} onDone={onClose} />
      </FormPanel>
    </>
  );
}

function descriptionOf(settings: ProxySettings): string {
  return settings.isOn
    ? 'A holder casts the vote of a principal. Proxies take effect at the next opening.'
    : 'Votes by proxy are switched off in this meeting.';
}
