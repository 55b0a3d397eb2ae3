import { superAdmin } from '../lighthouse/world.mjs';

const PASSWORD = 'a long password';
const HOUR_MS = 3_600_000;
export const MEETING = 'Annual General Meeting';

/** A question of each type, the actions on its ballot, and the text that the voter sees in the end. */
export const QUESTIONS = [
  {
    body: { questionText: 'Are the accounts approved?', questionType: 'YES_NO', options: ['Yes', 'No'] },
    answer: (page) => page.choose('radio', 'Yes'),
    shown: 'Are the accounts approved? Yes',
  },
  {
    body: { questionText: 'What is repaired?', questionType: 'MULTIPLE_CHOICE', options: ['Roof', 'Lifts', 'Garden'] },
    answer: async (page) => {
      await page.choose('checkbox', 'Roof');
      await page.choose('checkbox', 'Garden');
    },
    shown: 'What is repaired? Roof Garden',
  },
  {
    body: { questionText: 'How did the board do?', questionType: 'RATING', ratingMax: 5 },
    answer: (page) => page.choose('radio', '4 of 5'),
    shown: 'How did the board do? 4',
  },
  {
    body: { questionText: 'How much goes into the reserve?', questionType: 'PERCENTAGE' },
    answer: (page) => page.fill('Percentage', '37.5'),
    shown: 'How much goes into the reserve? 37.5',
  },
  {
    body: { questionText: 'What else should be said?', questionType: 'OPEN_TEXT' },
    answer: (page) => page.fill('What else should be said?', 'More bicycle stands'),
    shown: 'What else should be said? More bicycle stands',
  },
];

/** An organization with voters, and a meeting with a question of each type. */
export async function makeWorld(url, code, voters) {
  const api = `${url}/api`;
  const root = await signIn(api, superAdmin);
  const organizer = { email: `organizer@${code}.test`, password: PASSWORD };
  const organization = { name: `Club ${code}`, clientCode: code, firstName: 'Olga', lastName: 'Ritter' };
  await root('POST', '/clients', { ...organization, ...organizer });
  const call = await signIn(api, organizer);
  const people = Array.from({ length: voters }, (_, index) => ({
    username: `voter${index + 1}`,
    name: `Voter ${index + 1}`,
    password: PASSWORD,
  }));
  for (const person of people) {
    await call('POST', '/client/end-users', person);
  }
  const { id } = await call('POST', '/client/meetings', {
    title: MEETING,
    scheduledStartTime: new Date().toISOString(),
    scheduledEndTime: new Date(Date.now() + HOUR_MS).toISOString(),
    status: 'SCHEDULED',
  });
  const questionIds = [];
  for (const { body } of QUESTIONS) {
    questionIds.push((await call('POST', '/client/questions', { meetingId: id, ...body })).id);
  }
  const meeting = `/client/meetings/${id}`;
  return {
    url,
    code,
    organizer,
    people,
    meetingId: id,
    start: () => call('POST', `${meeting}/start`, {}),
    end: () => call('POST', `${meeting}/end`, {}),
    ask: (index) => call('PUT', `${meeting}/current-question`, { questionId: questionIds[index] ?? null }),
    /** The number of votes in each round. */
    votes: async () => (await call('GET', `${meeting}/rounds`)).map(({ voteCount }) => voteCount),
  };
}

async function signIn(api, { email, password }) {
  const { token } = await call(api, null, 'POST', '/auth/login', { email, password });
  return (method, path, body) => call(api, token, method, path, body);
}

async function call(api, token, method, path, body) {
  const response = await fetch(`${api}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}
