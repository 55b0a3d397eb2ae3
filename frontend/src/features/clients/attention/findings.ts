import type { Page } from '../../../api/page';
import type { Account, Client, ClientReport, MigrationsTest, Readiness } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { paths } from '../../../shared/paths';

/** A fact that a super administrator should look at, with the screen for it. */
export interface Finding {
  text: string;
  to: string;
  link: string;
}

/** The domain of the accounts of a demonstration; also in crates/app/src/demonstration. */
export const DEMO_DOMAIN = '@demo.example';

/** Organizations that cannot sign in while their meetings are running. */
export function stoppedButRunning(
  status: 'SUSPENDED' | 'INACTIVE',
  { rows, total }: Page<ClientReport>,
): Finding[] {
  const word = status.toLowerCase();
  const found = rows
    .filter(({ meetings }) => meetings.active > 0)
    .map(({ name, clientCode, id, meetings }) => ({
      text: `${name} is ${word} and has ${countOf(meetings.active, 'running meeting')}.`,
      to: paths.adminClient(clientCode, id),
      link: `Edit ${name}`,
    }));
  const unseen = total - rows.length;
  return unseen > 0
    ? [
        ...found,
        {
          text: `${countOf(unseen, `further ${word} organization`)} ${areOf(unseen)} not checked for running meetings.`,
          to: `${paths.adminReports}?status=${status}`,
          link: 'View Reports',
        },
      ]
    : found;
}

export function pendingMigrations({ pending }: MigrationsTest): Finding[] {
  return pending.length > 0
    ? [
        {
          text: `${countOf(pending.length, 'migration')} of the database ${areOf(pending.length)} missing. Restart Plenum to apply ${pending.length === 1 ? 'it' : 'them'}.`,
          to: paths.adminTests,
          link: 'Open Tests',
        },
      ]
    : [];
}

export function unreachableBus({ bus }: Readiness): Finding[] {
  return bus === 'away'
    ? [
        {
          text: 'The message server between the instances cannot be reached. Live updates of other instances arrive a few seconds late.',
          to: paths.adminTests,
          link: 'Open Tests',
        },
      ]
    : [];
}

export function testOrganizations({ rows, total }: Page<Client>): Finding[] {
  const { length } = rows.filter(({ isTest }) => isTest);
  const atLeast = total > rows.length ? 'At least ' : '';
  return length > 0
    ? [
        {
          text: `${atLeast}${countOf(length, 'test organization')} ${areOf(length)} stored. A test is running, or one was interrupted.`,
          to: paths.adminTests,
          link: 'Open Cleanup Data',
        },
      ]
    : [];
}

export function demonstrationAccounts({ rows }: Page<Account>): Finding[] {
  const found = rows.filter(({ email }) => email.endsWith(DEMO_DOMAIN));
  return found.length > 0
    ? [
        {
          text: `${countOf(found.length, 'account')} of the demonstration ${areOf(found.length)} stored, and the first passwords are published. Before real votes, run plenum end-demonstration.`,
          to: `${paths.adminUsers}?search=${encodeURIComponent(DEMO_DOMAIN)}`,
          link: 'View accounts',
        },
      ]
    : [];
}

export function missingSecondFactor({ isOn }: { isOn: boolean }): Finding[] {
  return isOn
    ? []
    : [
        {
          text: 'Your own account has no second factor: its password alone opens everything.',
          to: paths.adminAccount,
          link: 'Set it up',
        },
      ];
}

function areOf(count: number): string {
  return count === 1 ? 'is' : 'are';
}
