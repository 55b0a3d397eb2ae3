/**
 * Signs in to a running server as people do: `node first-sign-in.mjs URL EMAIL PASSWORD`. At the first time it signs in as the
 * super administrator, creates an organization with its organizer, and, as that organizer, a meeting. Later it signs in as the
 * organizer, and fails if the meeting is missing.
 */
const [url, email, password] = process.argv.slice(2);
const ORGANIZER = { email: 'olga@example.org', password: 'correct horse battery' };
const TITLE = 'Annual General Meeting';

const known = await call('POST', '/auth/login', null, ORGANIZER);
if (known.ok) {
  await expectMeeting((await known.json()).token);
  console.log('The organizer is signed in, and the meeting is there.');
} else {
  const root = await signIn({ email, password });
  const organization = { name: 'Garden Club', clientCode: 'GARDEN', firstName: 'Olga', lastName: 'Ritter' };
  await expectOk(await call('POST', '/clients', root, { ...organization, ...ORGANIZER }));
  const organizer = await signIn(ORGANIZER);
  const start = Date.now() + 3_600_000;
  const meeting = {
    title: TITLE,
    status: 'SCHEDULED',
    scheduledStartTime: new Date(start).toISOString(),
    scheduledEndTime: new Date(start + 3_600_000).toISOString(),
  };
  await expectOk(await call('POST', '/client/meetings', organizer, meeting));
  await expectMeeting(organizer);
  console.log('The first organizer is signed in, and has created a meeting.');
}

async function expectMeeting(token) {
  const meetings = await (await expectOk(await call('GET', '/client/meetings', token))).text();
  if (!meetings.includes(TITLE)) {
    throw new Error(`The meeting is missing: ${meetings}`);
  }
}

async function signIn(account) {
  const { token } = await (await expectOk(await call('POST', '/auth/login', null, account))).json();
  return token;
}

async function expectOk(response) {
  if (!response.ok) {
    throw new Error(`${response.url} responded with ${response.status}: ${await response.text()}`);
  }
  return response;
}

function call(method, path, token, body) {
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  return fetch(`${url}/api${path}`, {
    method,
    headers: { ...authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  });
}
