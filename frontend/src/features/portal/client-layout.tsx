import {
  IconCalendarEvent,
  IconLayoutDashboard,
  IconListSearch,
  IconStethoscope,
  IconUsers,
} from '@tabler/icons-react';
import { useUser } from '../../api/use-session';
import { paths } from '../../shared/paths';
import { CopyButton } from '../../shared/ui/copy-button';
import { PortalLayout } from './portal-layout';
import classes from './portal-layout.module.css';
import type { PortalSection } from './portal-navigation';

const SECTIONS: PortalSection[] = [
  { to: paths.client, label: 'Dashboard', icon: IconLayoutDashboard, isExact: true },
  { to: paths.clientEndUsers, label: 'End Users', icon: IconUsers },
  { to: paths.clientMeetings, label: 'Meetings', icon: IconCalendarEvent },
  { to: paths.clientTests, label: 'System Tests', icon: IconStethoscope },
  { to: paths.clientAudit, label: 'Audit Log', icon: IconListSearch },
];

export function ClientLayout() {
  const user = useUser();
  return (
    <PortalLayout
      home={paths.client}
      account={paths.clientAccount}
      sections={SECTIONS}
      context={
        <>
          <p className={classes.contextName}>{user?.clientName}</p>
          {user?.clientCode ? (
            <div className={classes.code}>
              <span>
                Code <strong>{user.clientCode.toUpperCase()}</strong>
              </span>
              <CopyButton text={user.clientCode} label="Copy organization code" />
            </div>
          ) : null}
        </>
      }
    />
  );
}
