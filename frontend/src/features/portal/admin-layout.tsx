import { IconBuilding, IconLayoutDashboard, IconListSearch, IconStethoscope } from '@tabler/icons-react';
import { paths } from '../../shared/paths';
import { PortalLayout } from './portal-layout';
import classes from './portal-layout.module.css';
import type { PortalSection } from './portal-navigation';

const SECTIONS: PortalSection[] = [
  { to: paths.admin, label: 'Dashboard', icon: IconLayoutDashboard, isExact: true },
  { to: paths.adminClients, label: 'Clients', icon: IconBuilding },
  { to: paths.adminTests, label: 'Tests', icon: IconStethoscope },
  { to: paths.adminAudit, label: 'Audit Log', icon: IconListSearch },
];

export function AdminLayout() {
  return (
    <PortalLayout
      home={paths.admin}
      account={paths.adminAccount}
      sections={SECTIONS}
      context={<p className={classes.contextName}>Super Admin</p>}
    />
  );
}
