import { type APIRequestContext, expect, request } from '@playwright/test';
import { superAdmin } from './plenum-server';

export interface Setting {
  clientCode: string;
  organizer: { email: string; password: string };
  voters: { username: string; password: string }[];
  meetingId: string;
  meetingTitle: string;
  questionIds: string[];
}

export interface NewQuestion {
  questionText: string;
  questionType: string;
  options?: string[];
  ratingMax?: number;
  secrecy?: 'named' | 'unshown' | 'secret';
  decisionRule?: object;
}

const PASSWORD = 'a long password';

/** Creates the initial data of the tested screens through the API. */
export async function arrange(
  serverUrl: string,
  { name, voters, questions }: { name: string; voters: number; questions: NewQuestion[] },
): Promise<Setting> {
  const clientCode = name.toLowerCase().replaceAll(' ', '-');
  const organizer = { email: `organizer@${clientCode}.test`, password: PASSWORD };
  const api = await request.newContext({ baseURL: serverUrl });

  const rootToken = await tokenOf(api, superAdmin);
  await post(api, rootToken, '/api/clients', {
    name,
    clientCode,
    firstName: 'Olga',
    lastName: 'Ritter',
    ...organizer,
  });

  const token = await tokenOf(api, organizer);
  const endUsers = Array.from({ length: voters }, (_, index) => ({
    username: `voter${index + 1}`,
    name: `Voter ${index + 1}`,
    password: PASSWORD,
  }));
  for (const endUser of endUsers) {
    await post(api, token, '/api/client/end-users', endUser);
  }
  const meetingTitle = `Meeting of ${name}`;
  const meeting = await post(api, token, '/api/client/meetings', {
    title: meetingTitle,
    scheduledStartTime: new Date().toISOString(),
    scheduledEndTime: new Date(Date.now() + 3_600_000).toISOString(),
    status: 'SCHEDULED',
  });
  const meetingId = meeting.id as string;
  const questionIds: string[] = [];
  for (const question of questions) {
    const created = await post(api, token, '/api/client/questions', { meetingId, ...question });
    questionIds.push(created.id as string);
  }
  await post(api, token, `/api/client/meetings/${meetingId}/start`, {});
  await api.dispose();
  return { clientCode, organizer, voters: endUsers, meetingId, meetingTitle, questionIds };
}

async function tokenOf(api: APIRequestContext, person: { email: string; password: string }): Promise<string> {
  const answer = await api.post('/api/auth/login', { data: person });
  expect(answer.status()).toBe(200);
  return (await answer.json()).token;
}

async function post(
  api: APIRequestContext,
  token: string,
  path: string,
  data: object,
): Promise<Record<string, unknown>> {
  const answer = await api.post(path, { data, headers: { Authorization: `Bearer ${token}` } });
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.json();
}
