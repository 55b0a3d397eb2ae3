import { IconBuilding, IconLayoutDashboard, IconStethoscope } from '@tabler/icons-react';
import { paths } from '../../shared/paths';
import { PortalLayout, type PortalSection } from './portal-layout';
import classes from './portal-layout.module.css';

const SECTIONS: PortalSection[] = [
  { to: paths.admin, label: 'Dashboard', icon: IconLayoutDashboard, isExact: true },
  { to: paths.adminClients, label: 'Clients', icon: IconBuilding },
  { to: paths.adminTests, label: 'Tests', icon: IconStethoscope },
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
