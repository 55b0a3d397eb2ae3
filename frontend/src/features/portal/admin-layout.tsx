import {
  IconBuilding,
  IconLayoutDashboard,
  IconListSearch,
  IconStethoscope,
  IconUserCircle,
} from '@tabler/icons-react';
import { paths } from '../../shared/paths';
import { PortalLayout } from './portal-layout';
import classes from './portal-layout.module.css';
import type { AccountPage, PortalSection } from './portal-navigation';

const SECTIONS: PortalSection[] = [
  { to: paths.admin, label: 'Dashboard', icon: IconLayoutDashboard, isExact: true },
  { to: paths.adminClients, label: 'Clients', icon: IconBuilding },
  { to: paths.adminTests, label: 'Tests', icon: IconStethoscope },
  { to: paths.adminAudit, label: 'Audit Log', icon: IconListSearch },
];

const ACCOUNT: AccountPage[] = [
  { to: paths.adminAccount, label: 'Password and devices', icon: IconUserCircle },
];

export function AdminLayout() {
  return (
    <PortalLayout
      home={paths.admin}
      account={ACCOUNT}
      sections={SECTIONS}
      context={<p className={classes.contextName}>Super Admin</p>}
    />
  );
}
