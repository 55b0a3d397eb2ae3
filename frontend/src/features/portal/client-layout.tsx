import {
  IconCalendarEvent,
  IconLayoutDashboard,
  IconListSearch,
  IconPalette,
  IconStethoscope,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { useUser } from '../../api/use-session';
import { paths } from '../../shared/paths';
import { CopyButton } from '../../shared/ui/copy-button';
import { PortalLayout } from './portal-layout';
import classes from './portal-layout.module.css';
import type { AccountPage, PortalSection } from './portal-navigation';

const SECTIONS: PortalSection[] = [
  { to: paths.client, label: 'Dashboard', icon: IconLayoutDashboard, isExact: true },
  {
    to: paths.clientEndUsers,
    label: 'End Users',
    icon: IconUsers,
    further: [paths.clientGroups, paths.clientWeightKinds],
  },
  { to: paths.clientMeetings, label: 'Meetings', icon: IconCalendarEvent },
  { to: paths.clientTests, label: 'System Tests', icon: IconStethoscope },
  { to: paths.clientAudit, label: 'Audit Log', icon: IconListSearch },
];

const ACCOUNT: AccountPage[] = [
  { to: paths.clientBranding, label: 'Logo and color', icon: IconPalette },
  { to: paths.clientAccount, label: 'Password and devices', icon: IconUserCircle },
];

export function ClientLayout() {
  const user = useUser();
  return (
    <PortalLayout
      home={paths.client}
      account={ACCOUNT}
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
