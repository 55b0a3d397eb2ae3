import type { components } from './schema';

type ApiErrorBody = components['schemas']['ApiError'];

/** A request that the server refused, or that never reached it (`status` 0, `code` "unreachable"). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Messages per field of the request body, for forms. */
  readonly fields: Record<string, string[]>;
  /** The time to wait before the next attempt, as the server asks. */
  readonly retryAfterSeconds: number | null;
  /** Whether the server wrote `message` for people. */
  readonly hasServerMessage: boolean;
  /** The id of the request in the server's log; null without a response. */
  readonly requestId: string | null;

  constructor(
    status: number,
    body: Partial<ApiErrorBody>,
    retryAfterSeconds: number | null = null,
    requestId: string | null = null,
  ) {
    super(body.error || body.message || 'The request failed.');
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.fields = body.fields ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
    this.hasServerMessage = Boolean(body.error || body.message);
    this.requestId = requestId;
  }

  static unreachable(): ApiError {
    return new ApiError(0, { code: 'unreachable' });
  }

  /** Whether another attempt with the same content may succeed. */
  get isTemporary(): boolean {
    return [0, 408, 502, 503, 504].includes(this.status);
  }
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** The time for which a failed request counts as the probable cause of a broken page. */
const RECENT_MS = 60_000;

let lastReference: { id: string; at: number } | null = null;

/** The error of a failed response, from its parsed body. */
export function toApiError(response: Response, body: unknown): ApiError {
  const error = new ApiError(
    response.status,
    bodyOf(body),
    retryAfterOf(response),
    response.headers.get('X-Request-Id'),
  );
  const id = referenceOf(error);
  if (id !== null) {
    lastReference = { id, at: performance.now() };
  }
  return error;
}

function bodyOf(body: unknown): Partial<ApiErrorBody> {
  if (typeof body === 'string' && body.trim() !== '' && !body.trimStart().startsWith('<')) {
    return { error: body };
  }
  return typeof body === 'object' && body !== null ? (body as Partial<ApiErrorBody>) : {};
}

/**
 * The reference for the operator of the server, who finds the error in its log by it. Null if the server has no error:
 * it was not reached, or its message says what to do.
 */
export function referenceOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) {
    return null;
  }
  const isUnexpected = error.status >= 500 || !error.hasServerMessage;
  return isUnexpected ? error.requestId : null;
}

/** The reference of the page's last unexpected error, for a screen that could not be rendered. */
export function lastReferenceOfPage(): string | null {
  const isRecent = lastReference !== null && performance.now() - lastReference.at < RECENT_MS;
  return isRecent ? (lastReference?.id ?? null) : null;
}

/** The server's message, otherwise the screen's text for this action. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) {
    return fallback;
  }
  if (error.status === 0) {
    return `${fallback}: the server could not be reached`;
  }
  return error.hasServerMessage ? error.message : fallback;
}

/** Refused sign-ins also have the status 401. */
const SIGN_IN_REFUSALS = ['invalid_credentials', 'second_factor_required', 'second_factor_wrong'];

function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && !SIGN_IN_REFUSALS.includes(error.code);
}

/** Advice for a failed load, if the cause is known. */
export function hintOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.isTemporary
    ? 'The server could not be reached. This page tries again by itself.'
    : undefined;
}

/**
 * The message of a form as a whole. If all refused fields are in the form, each shows its own error; the server's
 * summary would only repeat them by their names in the API.
 */
export function formErrorOf(error: unknown, fallback: string, shown: Record<string, unknown>): string {
  if (isSessionOver(error)) {
    return 'Nothing was saved, because your session had ended. Please try again.';
  }
  const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
  return fields.length > 0 && fields.every((field) => field in shown)
    ? 'Please check the marked fields.'
    : messageOf(error, fallback);
}

/** The first message per field of a refused request body, in the format of forms. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([field, messages]) =>
      messages[0] === undefined ? [] : [[field, messages[0]]],
    ),
  );
}
