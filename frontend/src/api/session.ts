import createClient from 'openapi-fetch';
import { ApiError, toApiError } from './api-error';
import { apiUrl } from './base-path';
import type { components, paths } from './schema';

type UserView = components['schemas']['UserView'];
type LoginBody = components['schemas']['LoginBody'];
type EndUserLoginBody = components['schemas']['EndUserLoginBody'];

/**
 * resolving: a stored token is being checked. unreachable: it could not be checked, because the server
 * did not answer; the tokens stay, so that a restart of the server signs nobody out.
 */
export type SessionState =
  | { status: 'resolving' }
  | { status: 'anonymous' }
  | { status: 'unreachable' }
  | { status: 'signedIn'; user: UserView };

const ACCESS_TOKEN = 'accessToken';
const REFRESH_TOKEN = 'refreshToken';
/** A token this close to its end may be too old by the time it arrives. */
const LEEWAY_MS = 30_000;

/** Without the bearer token and its renewal: the calls that a session itself is made of. */
const authApi = createClient<paths>({ baseUrl: apiUrl, fetch: (request) => globalThis.fetch(request) });

async function answerOf<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw ApiError.unreachable();
  });
  if (!response.ok || data === undefined) {
    throw toApiError(response, error);
  }
  return data;
}

interface TokenClaims {
  sub?: string;
  iat?: number;
  exp?: number;
}

function claimsOf(token: string): TokenClaims {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as TokenClaims;
  } catch {
    // Not for us to judge: the server says what a token is worth.
    return {};
  }
}

class Session {
  #state: SessionState;
  #listeners = new Set<() => void>();
  #resolving: Promise<void> | null = null;
  #refreshing: Promise<string> | null = null;
  /** End of the token that this page received, by this device's clock, which may be wrong. */
  #validUntil = new Map<string, number>();

  constructor() {
    this.#state = this.#stored(ACCESS_TOKEN) ? { status: 'resolving' } : { status: 'anonymous' };
    window.addEventListener('storage', (event) => this.#followOtherTab(event));
  }

  readonly state = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Asks the server whose stored token this is. Many callers share one request. */
  resolve(): Promise<void> {
    this.#resolving ??= this.#resolveOnce().finally(() => {
      this.#resolving = null;
    });
    return this.#resolving;
  }

  async #resolveOnce(): Promise<void> {
    if (!this.#stored(ACCESS_TOKEN)) {
      this.#set({ status: 'anonymous' });
      return;
    }
    if (this.#state.status !== 'signedIn') {
      this.#set({ status: 'resolving' });
    }
    try {
      const user = await this.#me(await this.accessToken()).catch(async (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) {
          return this.#me(await this.renewedToken());
        }
        throw error;
      });
      this.#set({ status: 'signedIn', user });
    } catch (error) {
      if (error instanceof ApiError && error.status !== 401 && error.status !== 403 && error.status !== 404) {
        this.#set({ status: 'unreachable' });
      } else {
        this.forget();
      }
    }
  }

  async #me(token: string): Promise<UserView> {
    const call = authApi.GET('/auth/me', { headers: { Authorization: `Bearer ${token}` } });
    return (await answerOf(call)).user;
  }

  async signIn(body: LoginBody): Promise<UserView> {
    return this.#begin(await answerOf(authApi.POST('/auth/login', { body })));
  }

  async signInEndUser(body: EndUserLoginBody): Promise<UserView> {
    return this.#begin(await answerOf(authApi.POST('/auth/end-user/login', { body })));
  }

  /** The tokens go even when the server cannot be told. */
  async signOut(): Promise<void> {
    const token = this.#stored(ACCESS_TOKEN);
    this.forget();
    if (token) {
      await authApi
        .POST('/auth/logout', { headers: { Authorization: `Bearer ${token}` } })
        .catch(() => undefined);
    }
  }

  /** A token that is good for a request now, renewed first where it is about to end. */
  async accessToken(): Promise<string> {
    const token = this.#stored(ACCESS_TOKEN);
    if (!token) {
      throw new ApiError(401, { error: 'Authentication required', code: 'no_session' });
    }
    return this.#isFresh(token) ? token : this.renewedToken();
  }

  /** A new token, whatever is thought of the present one (the server has just refused it). */
  renewedToken(): Promise<string> {
    this.#refreshing ??= this.#renew(this.#stored(ACCESS_TOKEN)).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #renew(refused: string | null): Promise<string> {
    const exchange = async (): Promise<string> => {
      // Another tab may have renewed it while this one waited for the lock.
      const current = this.#stored(ACCESS_TOKEN);
      if (current && current !== refused && this.#isFresh(current)) {
        return current;
      }
      const refreshToken = this.#stored(REFRESH_TOKEN);
      if (!refreshToken) {
        this.forget();
        throw new ApiError(401, { error: 'No refresh token available', code: 'no_session' });
      }
      try {
        const pair = await answerOf(authApi.POST('/auth/refresh', { body: { refreshToken } }));
        this.#keep(pair.token, pair.refreshToken);
        return pair.token;
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
          this.forget();
        }
        throw error;
      }
    };
    // Browsers offer locks on https and localhost only; on plain http the server's grace period for a
    // refresh token that is used twice has to do.
    return navigator.locks ? navigator.locks.request('plenum-refresh', exchange) : exchange();
  }

  /** Ends the session on this device, without telling the server. */
  forget(): void {
    this.#store(ACCESS_TOKEN, null);
    this.#store(REFRESH_TOKEN, null);
    this.#validUntil.clear();
    this.#set({ status: 'anonymous' });
  }

  #begin(answer: components['schemas']['SessionView']): UserView {
    this.#keep(answer.token, answer.refreshToken);
    this.#set({ status: 'signedIn', user: answer.user });
    return answer.user;
  }

  #keep(token: string, refreshToken: string): void {
    const { iat, exp } = claimsOf(token);
    if (iat !== undefined && exp !== undefined) {
      this.#validUntil.set(token, Date.now() + (exp - iat) * 1000);
    }
    this.#store(ACCESS_TOKEN, token);
    this.#store(REFRESH_TOKEN, refreshToken);
  }

  #isFresh(token: string): boolean {
    const { exp } = claimsOf(token);
    const end = this.#validUntil.get(token) ?? (exp === undefined ? Number.POSITIVE_INFINITY : exp * 1000);
    return Date.now() < end - LEEWAY_MS;
  }

  /** Signing out, or in as someone else, in another tab counts here too: the storage is shared. */
  #followOtherTab(event: StorageEvent): void {
    if (event.key !== ACCESS_TOKEN) {
      return;
    }
    if (event.newValue === null) {
      this.#set({ status: 'anonymous' });
    } else if (event.oldValue === null || claimsOf(event.oldValue).sub !== claimsOf(event.newValue).sub) {
      this.#set({ status: 'resolving' });
      void this.resolve();
    }
  }

  #set(state: SessionState): void {
    if (state.status === 'anonymous' && this.#state.status === 'anonymous') {
      return;
    }
    this.#state = state;
    for (const listener of this.#listeners) {
      listener();
    }
  }

  /** Where the browser refuses storage, the session lasts as long as the page. */
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

/** The one place that knows the tokens of whoever is signed in on this device. */
export const session = new Session();
