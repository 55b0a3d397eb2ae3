import type { Client, EndUser, Meeting } from '../../../api/types';
import { countOf } from '../../format';
import { isTestName, isTestPerson } from '../../test-data';
import type { Caller } from './caller';
import type { Portal } from './portal';
import type { Leftovers } from './remove-all';
import { bodyOf } from './unexpected';

/** The most that the server gives on one page. */
const PAGE_SIZE = 200;

/** The data found by name. */
export interface FoundData {
  clients: Client[];
  meetings: Meeting[];
  endUsers: EndUser[];
}

/**
 * Finds the data that the person may see and whose name contains `part`, in the same case. The search includes the
 * usernames of end users and the codes of clients. Super administrators see clients; organizers see the meetings and
 * end users of their client.
 */
export async function findNamed(own: Caller, portal: Portal, part: string): Promise<FoundData> {
  const has = (...names: string[]) => names.some((name) => name.includes(part));
  if (portal === 'SUPER_ADMIN') {
    const clients = await allOf<Client>(own, '/clients', part);
    return {
      clients: clients.filter(({ name, clientCode }) => has(name, clientCode)),
      meetings: [],
      endUsers: [],
    };
  }
  const meetings = await allOf<Meeting>(own, '/client/meetings', part);
  const endUsers = await allOf<EndUser>(own, '/client/end-users', part);
  return {
    clients: [],
    meetings: meetings.filter(({ title }) => has(title)),
    endUsers: endUsers.filter(({ name, username }) => has(name, username)),
  };
}

/** Filters for test data, by the beginning of the name. */
export function testDataOf({ clients, meetings, endUsers }: FoundData): FoundData {
  return {
    clients: clients.filter(({ name }) => isTestName(name)),
    meetings: meetings.filter(({ title }) => isTestName(title)),
    endUsers: endUsers.filter(isTestPerson),
  };
}

/** Filters by name. */
export function having(found: FoundData, fits: (name: string) => boolean): FoundData {
  return {
    clients: found.clients.filter(({ name }) => fits(name)),
    meetings: found.meetings.filter(({ title }) => fits(title)),
    endUsers: found.endUsers.filter(({ name, username }) => fits(name) || fits(username)),
  };
}

async function allOf<Row>(own: Caller, path: string, search: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ search, page: String(page), pageSize: String(PAGE_SIZE) });
    const answer = await own.get(`${path}?${query}`);
    const { data, meta } = bodyOf<{ data: Row[]; meta: { total: number } }>(answer, 200);
    rows.push(...data);
    if (data.length === 0 || rows.length >= meta.total) {
      return rows;
    }
  }
}

export function idsOf({ clients, meetings, endUsers }: FoundData): Leftovers {
  return {
    voteIds: [],
    questionIds: [],
    meetingIds: meetings.map(({ id }) => id),
    endUserIds: endUsers.map(({ id }) => id),
    clientIds: clients.map(({ id }) => id),
  };
}

export function numberOf({ clients, meetings, endUsers }: FoundData): number {
  return clients.length + meetings.length + endUsers.length;
}

/** "1 client", "2 meetings and 3 end users"; empty without data. */
export function countsOf({ clients, meetings, endUsers }: FoundData): string {
  return [
    clients.length > 0 ? countOf(clients.length, 'client') : '',
    meetings.length > 0 ? countOf(meetings.length, 'meeting') : '',
    endUsers.length > 0 ? countOf(endUsers.length, 'end user') : '',
  ]
    .filter(Boolean)
    .join(' and ');
}

/** The names, for details and messages. */
export function namesOf({ clients, meetings, endUsers }: FoundData): string[] {
  return [
    ...clients.map(({ name, clientCode }) => `${name} (${clientCode})`),
    ...meetings.map(({ title }) => title),
    ...endUsers.map(({ name, username }) => (name === username ? name : `${name} (${username})`)),
  ];
}
