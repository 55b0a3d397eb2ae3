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
  /** True where `message` was written by the server for people to read. */
  readonly hasServerMessage: boolean;
  /** The id of the request in the server's log; null if no answer came. */
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

  /** Worth another try with the same content. */
  get isTemporary(): boolean {
    return [0, 408, 502, 503, 504].includes(this.status);
  }
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** So long after a failed call it may be what a page broke on. */
const RECENT_MS = 60_000;

let lastReference: { id: string; at: number } | null = null;

/** The error of a failed response, from the body that was read already. */
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
 * The reference to give to the operator of the server, who finds the error in its log by it. Null where nothing is wrong there: the
 * server was not reached, or it says itself what to do.
 */
export function referenceOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) {
    return null;
  }
  const isUnexpected = error.status >= 500 || !error.hasServerMessage;
  return isUnexpected ? error.requestId : null;
}

/** The reference of the last unexpected error of this page, for a screen that could not be drawn. */
export function lastReferenceOfPage(): string | null {
  const isRecent = lastReference !== null && performance.now() - lastReference.at < RECENT_MS;
  return isRecent ? (lastReference?.id ?? null) : null;
}

/** The server's words where there are any, else what the screen says about this action. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) {
    return fallback;
  }
  if (error.status === 0) {
    return `${fallback}: the server could not be reached`;
  }
  return error.hasServerMessage ? error.message : fallback;
}

/** Sign-ins are refused with 401 as well. */
const SIGN_IN_REFUSALS = ['invalid_credentials', 'second_factor_required', 'second_factor_wrong'];

function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && !SIGN_IN_REFUSALS.includes(error.code);
}

/** Advice for something that could not be loaded, as far as the cause is known. */
export function hintOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.isTemporary
    ? 'The server could not be reached. This page tries again by itself.'
    : undefined;
}

/**
 * What a form says as a whole. Where the server objects to fields that the form shows, each says what is wanted, and
 * the server's summary would only repeat it in the API's names.
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

/** First message per field of a refused request body, in the shape that forms take. */
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
