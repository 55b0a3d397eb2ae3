import { setTimeout as sleep } from 'node:timers/promises';

const PASSWORD = 'correct horse battery';
const VOTERS = 20_000;
const MEETINGS = 200;
const HOUR_MS = 3_600_000;

export const superAdmin = { email: 'root@plenum.test', password: PASSWORD };

/** The data of the measured screens: an organization with many voters and meetings, one of them running. */
export async function makeWorld(api) {
  const root = await signIn(api, '/auth/login', superAdmin);
  const organizer = { email: 'organizer@plenum.test', password: PASSWORD };
  const organization = { name: 'Rowing Club', clientCode: 'rowing', firstName: 'Olga', lastName: 'Ritter' };
  await call(api, root, 'POST', '/clients', { ...organization, ...organizer });

  const { accessToken } = await signIn(api, '/auth/login', organizer);
  const client = { accessToken };
  await call(api, client, 'POST', '/client/end-users/import', { dryRun: false, rows: voters() });
  const voter = { username: 'ada', password: PASSWORD };
  await call(api, client, 'POST', '/client/end-users', { ...voter, name: 'Ada Becker' });

  const meetings = Array.from({ length: MEETINGS }, (_, index) => meeting(index));
  let running;
  for (const body of meetings) {
    running = await call(api, client, 'POST', '/client/meetings', body);
  }
  await call(api, client, 'POST', `/client/meetings/${running.id}/start`, {});

  return {
    clientCode: organization.clientCode,
    meetingId: running.id,
    signIn: {
      CLIENT: () => signIn(api, '/auth/login', organizer),
      END_USER: () => signIn(api, '/auth/end-user/login', { clientCode: organization.clientCode, ...voter }),
    },
  };
}

function voters() {
  return Array.from({ length: VOTERS }, (_, index) => ({
    line: index + 2,
    username: `voter${index}`,
    name: `Member Number ${index}`,
    email: `member${index}@example.org`,
    weight: index % 10 === 0 ? '1.5' : '1',
    isActive: index % 50 === 0 ? 'no' : 'yes',
  }));
}

function meeting(index) {
  const start = Date.now() + (index - MEETINGS / 2) * 24 * HOUR_MS;
  return {
    title: `Assembly ${index + 1}`,
    description: 'Reports, elections and the budget of the year to come.',
    scheduledStartTime: new Date(start).toISOString(),
    scheduledEndTime: new Date(start + 2 * HOUR_MS).toISOString(),
    status: 'SCHEDULED',
  };
}

async function signIn(api, path, credentials) {
  const { token, refreshToken } = await call(api, null, 'POST', path, credentials);
  return { accessToken: token, refreshToken };
}

/** The JSON of a successful response. Retries if a busy server requests it. */
async function call(api, person, method, path, body) {
  for (;;) {
    const response = await fetch(`${api}${path}`, {
      method,
      body: JSON.stringify(body),
      headers: {
        'Content-Type': 'application/json',
        ...(person ? { Authorization: `Bearer ${person.accessToken}` } : {}),
      },
    });
    if (response.ok) {
      return response.json();
    }
    if (response.status !== 503) {
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    }
    await sleep(Number(response.headers.get('Retry-After') ?? 1) * 1000);
  }
}
