import createClient from 'openapi-fetch';
import { ApiError, toApiError } from './api-error';
import { apiUrl } from './base-path';
import { keepDeviceToken, knownDevice } from './device-tokens';
import { exclusively } from './exclusively';
import { randomUuid } from './random-uuid';
import type { components, paths } from './schema';
import { within } from './time-limit';

type UserView = components['schemas']['UserView'];
type LoginBody = components['schemas']['LoginBody'];
type EndUserLoginBody = components['schemas']['EndUserLoginBody'];
type JoinBody = components['schemas']['JoinBody'];

/** A session that ended without a sign-out on this page. */
export interface EndedSession {
  /** The owner of the session; null if unknown. */
  user: UserView | null;
  /** The server no longer accepts its tokens, or another tab has signed out. */
  by: 'server' | 'otherTab';
}

/**
 * resolving: a stored token is being checked. unreachable: it could not be checked, because the server did not answer.
 * The tokens are kept, so that a server restart signs no one out.
 */
export type SessionState =
  | { status: 'resolving' }
  | { status: 'anonymous'; ended?: EndedSession }
  | { status: 'unreachable' }
  | { status: 'signedIn'; user: UserView };

const ACCESS_TOKEN = 'accessToken';
const REFRESH_TOKEN = 'refreshToken';
/** The id of the renewal for which the stored refresh token was sent. */
const RENEWAL_ID = 'renewalId';
/** A token this close to its expiry may be expired when it arrives. */
const LEEWAY_MS = 30_000;
/** The share of a token's lifetime that is left when a waiting screen renews it. The phones of a hall do so one by one. */
const LEFT_AT_EARLY_RENEWAL = { least: 0.1, most: 0.5 };
/** The pause after an early renewal, whatever came of it: by a wrong clock, tabs could renew each other's tokens. */
const EARLY_RENEWAL_PAUSE_MS = 30_000;
/** For a renewal, for which all other requests wait, and before it for that of another tab. */
const RENEWAL_TIMEOUT_MS = 10_000;
/** For the request for the signed-in person. If all phones of a hall send it at once, the server may need twelve seconds. */
const PERSON_TIMEOUT_MS = 15_000;
/** For all requests of a sign-out; the screen does not wait for it. */
const SIGN_OUT_TIMEOUT_MS = 10_000;
/** For the tasks before a sign-out, which need the session. */
const LAST_TASKS_TIMEOUT_MS = 20_000;

const send = (request: Request) => globalThis.fetch(request);

/** Without a bearer token and its renewal: for the requests that create, continue and end sessions. */
const authApi = createClient<paths>({ baseUrl: apiUrl, fetch: send });

async function answerOf<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw ApiError.unreachable();
  });
  if (!response.ok || data === undefined) {
    throw toApiError(response, error);
  }
  return data;
}

function noSession(): ApiError {
  return new ApiError(401, { error: 'Authentication required', code: 'no_session' });
}

/** The session of the request has ended on this device: by a sign-out or a sign-in of another person. */
function sessionEnded(): ApiError {
  return new ApiError(401, { error: 'The session has ended', code: 'session_ended' });
}

/** Whether the server decided. A server that is unreachable or busy, or received the request too slowly, has not. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 408 &&
    error.status !== 429
  );
}

interface TokenClaims {
  /** The person's id. */
  sub?: string;
  /** The sign-in's id; renewed tokens keep it. */
  sid?: string;
  iat?: number;
  exp?: number;
}

function claimsOf(token: string): TokenClaims {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as TokenClaims;
  } catch {
    // The server decides whether a token is valid.
    return {};
  }
}

function isSameSession(left: string, right: string): boolean {
  const [a, b] = [claimsOf(left), claimsOf(right)];
  return a.sub === b.sub && a.sid === b.sid;
}

interface Renewal {
  refused: string;
  result: Promise<string>;
}

class Session {
  #state: SessionState;
  /** The id of the token's owner. */
  #owner: string | undefined;
  #listeners = new Set<() => void>();
  #resolving: Promise<void> | null = null;
  #refreshing: Renewal | null = null;
  /** The expiry of the tokens that this page received, by this device's clock, which may be wrong. */
  #validUntil = new Map<string, number>();
  /** Another one in each tab. */
  readonly #leftAtEarlyRenewal =
    LEFT_AT_EARLY_RENEWAL.least + Math.random() * (LEFT_AT_EARLY_RENEWAL.most - LEFT_AT_EARLY_RENEWAL.least);
  #noEarlyRenewalUntil = 0;
  readonly #lastTasks = new Set<() => Promise<unknown>>();

  constructor() {
    this.#state = this.#stored(ACCESS_TOKEN) ? { status: 'resolving' } : { status: 'anonymous' };
    window.addEventListener('storage', (event) => this.#followOtherTab(event));
  }

  readonly state = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The id in the stored token, for data of this device only: it is not checked. */
  storedOwner(): string | undefined {
    return claimsOf(this.#stored(ACCESS_TOKEN) ?? '').sub;
  }

  /** Fetches the owner of the stored token. Concurrent callers share one request. */
  resolve(): Promise<void> {
    this.#resolving ??= this.#resolveOnce().finally(() => {
      this.#resolving = null;
    });
    return this.#resolving;
  }

  async #resolveOnce(): Promise<void> {
    const token = this.#stored(ACCESS_TOKEN);
    if (!token) {
      this.#set({ status: 'anonymous' });
      return;
    }
    if (this.#state.status === 'anonymous') {
      this.#set({ status: 'resolving' });
    }
    const user = await this.#personOf(token).catch((error: unknown) => error);
    if (!this.#holds(token)) {
      // The response concerns a person who has signed out; the current person is still unknown.
      return ['resolving', 'unreachable'].includes(this.#state.status) ? this.#resolveOnce() : undefined;
    }
    if (!(user instanceof Error)) {
      this.#enter(token, user as UserView);
    } else if (user instanceof ApiError && ![401, 403, 404].includes(user.status)) {
      this.#set({ status: 'unreachable' });
    } else {
      this.#end();
    }
  }

  async #personOf(token: string): Promise<UserView> {
    const current = await this.#renewedIfOld(token);
    try {
      return await this.#me(current);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.code === 'invalid_token')) {
        return this.#me(await this.renewedToken(current));
      }
      throw error;
    }
  }

  async #me(token: string): Promise<UserView> {
    const headers = { Authorization: `Bearer ${token}` };
    const call = authApi.GET('/auth/me', { headers, fetch: within(PERSON_TIMEOUT_MS, send) });
    return (await answerOf(call)).user;
  }

  async signIn(body: LoginBody, signal?: AbortSignal): Promise<UserView> {
    const typed = { ...body, ...knownDevice() };
    return this.#begin(await answerOf(authApi.POST('/auth/login', { body: typed, signal: signal ?? null })));
  }

  async signInEndUser(body: EndUserLoginBody, signal?: AbortSignal): Promise<UserView> {
    const typed = { ...body, ...knownDevice() };
    return this.#begin(
      await answerOf(authApi.POST('/auth/end-user/login', { body: typed, signal: signal ?? null })),
    );
  }

  /** Signs in the owner of a personal link. */
  async join(body: JoinBody, signal?: AbortSignal): Promise<UserView> {
    const typed = { ...body, ...knownDevice() };
    return this.#begin(await answerOf(authApi.POST('/auth/join', { body: typed, signal: signal ?? null })));
  }

  /** Registers a task to run before a sign-out. Returns a function that removes it. */
  beforeSignOut(task: () => Promise<unknown>): () => void {
    this.#lastTasks.add(task);
    return () => this.#lastTasks.delete(task);
  }

  async #doLastTasks(): Promise<void> {
    const tasks = Promise.allSettled([...this.#lastTasks].map((task) => task()));
    const timeout = new Promise((resolve) => window.setTimeout(resolve, LAST_TASKS_TIMEOUT_MS));
    await Promise.race([tasks, timeout]);
  }

  /** Deletes the tokens at once, even if the server is unreachable. Only the last tasks run before. */
  async signOut(): Promise<void> {
    if (this.#lastTasks.size > 0) {
      await this.#doLastTasks();
    }
    const token = this.#stored(ACCESS_TOKEN);
    const refreshToken = this.#stored(REFRESH_TOKEN);
    const isFresh = token !== null && this.#isFresh(token);
    this.forget();
    if (token === null) {
      return;
    }
    const timeout = new AbortController();
    const timer = window.setTimeout(() => timeout.abort(), SIGN_OUT_TIMEOUT_MS);
    try {
      const isSignedOut = isFresh && (await this.#logOut(token, timeout.signal));
      if (!isSignedOut && refreshToken !== null) {
        // If the server refused the sign-out because of an expired token, the refresh token would stay valid for weeks.
        // So the token is renewed first.
        const body = { refreshToken };
        const pair = await answerOf(authApi.POST('/auth/refresh', { body, signal: timeout.signal }));
        await this.#logOut(pair.token, timeout.signal);
      }
    } catch {
      // The person has signed out, so no error is shown.
    } finally {
      window.clearTimeout(timer);
    }
  }

  /** Returns false if the server refuses this token. */
  async #logOut(token: string, signal: AbortSignal): Promise<boolean> {
    const headers = { Authorization: `Bearer ${token}` };
    const { response } = await authApi.POST('/auth/logout', { headers, signal });
    return response.status !== 401 && response.status !== 403;
  }

  /** A token for a request now; it is renewed first if it is about to expire. */
  async accessToken(): Promise<string> {
    const token = this.#stored(ACCESS_TOKEN);
    if (!token) {
      this.#end();
      throw noSession();
    }
    // Another tab's sign-in may be stored before this page receives the event. Requests of this page belong to the
    // previous person.
    if (this.#state.status === 'signedIn' && claimsOf(token).sub !== this.#owner) {
      this.#changeHands();
      throw sessionEnded();
    }
    return this.#renewedIfOld(token);
  }

  /**
   * Renews the token if much of its time is over. A screen that waits for the next question calls this while the network
   * works, so that no vote has to wait for a renewal.
   */
  renewEarly(): void {
    const token = this.#stored(ACCESS_TOKEN);
    const { sub, iat, exp } = claimsOf(token ?? '');
    if (token === null || sub !== this.#owner || iat === undefined || exp === undefined) {
      return;
    }
    const isOld = this.#endOf(token) - Date.now() < (exp - iat) * 1000 * this.#leftAtEarlyRenewal;
    if (isOld && Date.now() >= this.#noEarlyRenewalUntil) {
      this.#noEarlyRenewalUntil = Date.now() + EARLY_RENEWAL_PAUSE_MS;
      // If it fails, whoever needs the token renews it.
      void this.renewedToken(token).catch(() => undefined);
    }
  }

  async #renewedIfOld(token: string): Promise<string> {
    return this.#isFresh(token) ? token : this.renewedToken(token);
  }

  /**
   * Replaces a token that the server has just refused. The new one is always of the same session: fails if that has
   * ended, even if another person has signed in since.
   */
  renewedToken(refused: string | null = this.#stored(ACCESS_TOKEN)): Promise<string> {
    if (refused === null) {
      return Promise.reject(noSession());
    }
    if (this.#refreshing && isSameSession(this.#refreshing.refused, refused)) {
      return this.#refreshing.result;
    }
    const renewal: Renewal = {
      refused,
      result: this.#renew(refused).finally(() => {
        if (this.#refreshing === renewal) {
          this.#refreshing = null;
        }
      }),
    };
    this.#refreshing = renewal;
    return renewal.result;
  }

  async #renew(refused: string): Promise<string> {
    const exchange = async (): Promise<string> => {
      // While this tab waited for the lock, another tab may have renewed the token, or ended the session.
      const token = this.#stored(ACCESS_TOKEN);
      if (token === null || !isSameSession(token, refused)) {
        throw sessionEnded();
      }
      if (token !== refused && this.#isFresh(token)) {
        return token;
      }
      const refreshToken = this.#stored(REFRESH_TOKEN);
      if (!refreshToken) {
        this.#end();
        throw new ApiError(401, { error: 'No refresh token available', code: 'no_session' });
      }
      const body = { refreshToken, renewalId: this.#renewalId() };
      const answer = answerOf(
        authApi.POST('/auth/refresh', { body, fetch: within(RENEWAL_TIMEOUT_MS, send) }),
      );
      await Promise.allSettled([answer]);
      const newer = this.#replacementOf(token, refreshToken);
      if (newer !== null) {
        return newer;
      }
      try {
        const pair = await answer;
        this.#keep(pair.token, pair.refreshToken);
        return pair.token;
      } catch (error) {
        if (isRefusal(error)) {
          this.#end();
        }
        throw error;
      }
    };
    // Browsers offer locks on https and localhost only. On plain http, the server's grace period for a reused refresh
    // token replaces them. There is one lock per sign-in, so that the next person does not wait for the last person's
    // renewal.
    const lock = `plenum-refresh-${claimsOf(refused).sid ?? ''}`;
    return exclusively(lock, RENEWAL_TIMEOUT_MS, exchange);
  }

  /**
   * The id with which the stored refresh token is exchanged: always the same until a new pair comes, also after a reload.
   * So an exchange whose response was lost can be repeated at any time.
   */
  #renewalId(): string {
    const id = this.#stored(RENEWAL_ID) ?? randomUuid();
    this.#store(RENEWAL_ID, id);
    return id;
  }

  /**
   * The token that another tab stored during the request; null if this pair is still stored. Throws if the session has
   * ended, so that a late response does not restore it.
   */
  #replacementOf(token: string, refreshToken: string): string | null {
    const stored = this.#stored(ACCESS_TOKEN);
    if (stored === null || !isSameSession(stored, token)) {
      throw sessionEnded();
    }
    return stored === token && this.#stored(REFRESH_TOKEN) === refreshToken ? null : stored;
  }

  #holds(token: string): boolean {
    const stored = this.#stored(ACCESS_TOKEN);
    return stored !== null && isSameSession(stored, token);
  }

  /** Ends the session on this device, without a request to the server. */
  forget(): void {
    this.#clear();
    this.#set({ status: 'anonymous' });
  }

  /** Ends this session after the server has, unless another one has replaced it. */
  endSessionOf(token: string): void {
    if (this.#holds(token)) {
      this.#end();
    }
  }

  /** Like `forget`, for a session that the server ended: the screens report it. */
  #end(): void {
    this.#clear();
    this.#lose('server');
  }

  #lose(by: EndedSession['by']): void {
    if (this.#state.status !== 'anonymous') {
      const user = this.#state.status === 'signedIn' ? this.#state.user : null;
      this.#set({ status: 'anonymous', ended: { user, by } });
    }
  }

  #clear(): void {
    this.#store(ACCESS_TOKEN, null);
    this.#store(REFRESH_TOKEN, null);
    this.#store(RENEWAL_ID, null);
    this.#validUntil.clear();
  }

  #begin(answer: components['schemas']['SessionView']): UserView {
    this.#keep(answer.token, answer.refreshToken);
    keepDeviceToken(answer.deviceToken);
    this.#enter(answer.token, answer.user);
    return answer.user;
  }

  #enter(token: string, user: UserView): void {
    this.#owner = claimsOf(token).sub;
    this.#set({ status: 'signedIn', user });
  }

  #keep(token: string, refreshToken: string): void {
    const { iat, exp } = claimsOf(token);
    if (iat !== undefined && exp !== undefined) {
      this.#validUntil.set(token, Date.now() + (exp - iat) * 1000);
    }
    this.#store(RENEWAL_ID, null);
    this.#store(ACCESS_TOKEN, token);
    this.#store(REFRESH_TOKEN, refreshToken);
  }

  #isFresh(token: string): boolean {
    return Date.now() < this.#endOf(token) - LEEWAY_MS;
  }

  /** The expiry of a token, by this device's clock if this page received it. */
  #endOf(token: string): number {
    const { exp } = claimsOf(token);
    return this.#validUntil.get(token) ?? (exp === undefined ? Number.POSITIVE_INFINITY : exp * 1000);
  }

  /** Follows a sign-out, or a sign-in as another person, in another tab: the tabs share the storage. */
  #followOtherTab(event: StorageEvent): void {
    // Without a key, the whole storage was cleared.
    if (event.key !== null && event.key !== ACCESS_TOKEN) {
      return;
    }
    if (event.newValue === null) {
      // Nothing is removed here: the next person's tokens may already be stored.
      this.#lose('otherTab');
    } else if (event.oldValue === null || claimsOf(event.oldValue).sub !== claimsOf(event.newValue).sub) {
      this.#changeHands();
    }
  }

  /** Handles another tab's sign-in as another person. */
  #changeHands(): void {
    // Both at once: listeners delete the last person's data, and no screen is rendered in between.
    this.#set({ status: 'anonymous' });
    this.#set({ status: 'resolving' });
    void this.resolve();
  }

  #set(state: SessionState): void {
    if (
      state.status === 'anonymous' &&
      this.#state.status === 'anonymous' &&
      state.ended === this.#state.ended
    ) {
      return;
    }
    this.#state = state;
    for (const listener of this.#listeners) {
      listener();
    }
  }

  /** If the browser refuses storage, the session lasts as long as the page. */
  #memory = new Map<string, string>();

  #stored(key: string): string | null {
    try {
      return window.localStorage.getItem(key) ?? this.#memory.get(key) ?? null;
    } catch {
      return this.#memory.get(key) ?? null;
    }
  }

  #store(key: string, value: string | null): void {
    this.#memory.delete(key);
    try {
      if (value === null) {
        window.localStorage.removeItem(key);
      } else {
        window.localStorage.setItem(key, value);
      }
    } catch {
      if (value !== null) {
        this.#memory.set(key, value);
      }
    }
  }
}

/** The only place that accesses the tokens of this device. */
export const session = new Session();
