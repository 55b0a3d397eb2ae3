/**
 * Plays a vote on a running server as people do: `node first-vote.mjs URL EMAIL PASSWORD`. At the first time it signs in as the
 * super administrator, creates an organization with its organizer, and as that organizer a voter and a running meeting. Later it
 * signs in as the organizer, and fails if something is missing. Each time it asks one more question, the voter answers, and the
 * results must have all questions, each with one vote.
 */
const [url, email, password] = process.argv.slice(2);
const ORGANIZER = { email: 'olga@example.org', password: 'correct horse battery' };
const VOTER = { username: 'viktor', password: 'correct horse battery' };
const TITLE = 'Annual General Meeting';

const known = await call('POST', '/auth/login', null, ORGANIZER);
const organizer = known.ok ? (await known.json()).token : await setUp();
const meeting = await theMeeting(organizer);
const before = await countedVotes();
await vote();
const after = await countedVotes();
if (after.length !== before.length + 1 || after.some((votes) => votes !== 1)) {
  throw new Error(`The results have ${after.join(', ')} votes, and before ${before.join(', ')}.`);
}
console.log(`The organizer is signed in, and question ${after.length} was asked, answered and counted.`);

async function setUp() {
  const root = await signIn('/auth/login', { email, password });
  const organization = { name: 'Garden Club', clientCode: 'GARDEN', firstName: 'Olga', lastName: 'Ritter' };
  await expectOk(await call('POST', '/clients', root, { ...organization, ...ORGANIZER }));
  const token = await signIn('/auth/login', ORGANIZER);
  await expectOk(await call('POST', '/client/end-users', token, { name: 'Viktor Nowak', ...VOTER }));
  const start = Date.now();
  const planned = {
    title: TITLE,
    status: 'ACTIVE',
    scheduledStartTime: new Date(start).toISOString(),
    scheduledEndTime: new Date(start + 3_600_000).toISOString(),
  };
  await expectOk(await call('POST', '/client/meetings', token, planned));
  return token;
}

async function theMeeting(token) {
  const meetings = await json(await call('GET', '/client/meetings', token));
  const found = meetings.find(({ title }) => title === TITLE);
  if (!found) {
    throw new Error(`The meeting is missing: ${JSON.stringify(meetings)}`);
  }
  return found.id;
}

async function vote() {
  const question = { meetingId: meeting, questionText: 'Do we agree?', questionType: 'YES_NO' };
  const { id } = await json(await call('POST', '/client/questions', organizer, question));
  const shown = `/client/meetings/${meeting}/current-question`;
  const { currentQuestion } = await json(await call('PUT', shown, organizer, { questionId: id }));
  const voter = await signIn('/auth/end-user/login', { clientCode: 'GARDEN', ...VOTER });
  const ballot = { answers: ['Yes'], roundId: currentQuestion.roundId };
  await expectOk(await call('POST', `/voting/meetings/${meeting}/questions/${id}/vote`, voter, ballot));
  await expectOk(await call('PUT', shown, organizer, { questionId: null }));
  const round = `/client/meetings/${meeting}/rounds/${currentQuestion.roundId}`;
  await expectOk(await call('POST', `${round}/count`, organizer));
}

async function countedVotes() {
  const { rounds } = await json(await call('GET', `/client/meetings/${meeting}/results`, organizer));
  return rounds.map(({ votesCast }) => votesCast.heads);
}

async function signIn(path, account) {
  return (await json(await call('POST', path, null, account))).token;
}

async function json(response) {
  return (await expectOk(response)).json();
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
