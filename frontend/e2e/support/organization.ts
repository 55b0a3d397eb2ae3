import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type BrowserContextOptions, expect, request } from '@playwright/test';
import { superAdmin } from './plenum-server';

interface Account {
  email: string;
  password: string;
}

interface Tokens {
  token: string;
  refreshToken: string;
}

/** A signed-in caller, to create a test's data through the API. */
export interface Caller {
  post: (path: string, data: object) => Promise<Record<string, unknown>>;
  put: (path: string, data: object) => Promise<Record<string, unknown>>;
  get: (path: string) => Promise<Record<string, unknown>>;
  /** A browser with their session: options for `openAs`. */
  browser: BrowserContextOptions;
}

/** An organization for one test, so that tests do not affect each other. */
export interface Organization {
  id: string;
  name: string;
  code: string;
  admin: Account;
  /** Sends requests as the organization's administrator. */
  caller: Caller;
}

const PASSWORD = 'a long password';

/** Different each time: a test may run again on the same server. */
export function uniqueName(label: string): string {
  return `${label} ${randomUUID().slice(0, 8)}`;
}

/** The email address for a name. */
export function emailOf(name: string): string {
  return `${name.toLowerCase().replaceAll(' ', '.')}@e2e.test`;
}

export function asSuperAdmin(serverUrl: string): Promise<Caller> {
  return signInThroughApi(serverUrl, superAdmin);
}

export async function foundOrganization(serverUrl: string, label: string): Promise<Organization> {
  const root = await asSuperAdmin(serverUrl);
  const client = await addClient(root, uniqueName(label));
  return { ...client, caller: await signInThroughApi(serverUrl, client.admin) };
}

export async function addClient(root: Caller, name: string): Promise<Omit<Organization, 'caller'>> {
  const admin = { email: emailOf(uniqueName('admin')), password: PASSWORD };
  const { data } = await root.post('/api/clients', { name, firstName: 'Olga', lastName: 'Ritter', ...admin });
  const { id, clientCode } = data as { id: string; clientCode: string };
  return { id, name, code: clientCode, admin };
}

export async function signInThroughApi(serverUrl: string, account: Account): Promise<Caller> {
  const api = await request.newContext({ baseURL: serverUrl });
  const tokens = (await answerOf(api, '/api/auth/login', { data: account })) as unknown as Tokens;
  await api.dispose();
  const headers = { Authorization: `Bearer ${tokens.token}` };
  const call = async (method: string, path: string, data?: object) => {
    const asThem = await request.newContext({ baseURL: serverUrl, extraHTTPHeaders: headers });
    const answer = await answerOf(asThem, path, { method, data });
    await asThem.dispose();
    return answer;
  };
  return {
    post: (path, data) => call('POST', path, data),
    put: (path, data) => call('PUT', path, data),
    get: (path) => call('GET', path),
    browser: {
      storageState: { cookies: [], origins: [{ origin: serverUrl, localStorage: stored(tokens) }] },
    },
  };
}

function stored({ token, refreshToken }: Tokens) {
  return [
    { name: 'accessToken', value: token },
    { name: 'refreshToken', value: refreshToken },
  ];
}

async function answerOf(
  api: APIRequestContext,
  path: string,
  { method = 'POST', data }: { method?: string; data?: object | undefined },
): Promise<Record<string, unknown>> {
  const answer = await api.fetch(path, { method, ...(data ? { data } : {}) });
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.json();
}
