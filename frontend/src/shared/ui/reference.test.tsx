import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiError, lastReferenceOfPage, referenceOf, toApiError } from '../../api/api-error';
import { publicApi, unwrap } from '../../api/client';
import { ErrorPage } from '../../app/error-page';
import { renderPart } from '../../test/render-part';
import { http, server } from '../../test/server';
import { ErrorState } from './error-state';
import { toast, toasts } from './toast';

const ID = '019a9d5e-0000-4000-8000-000000000007';

function failed(status: number, body: unknown, id: string | null = ID): ApiError {
  return toApiError(new Response(null, { status, headers: id === null ? {} : { 'X-Request-Id': id } }), body);
}

const unavailable = () => failed(503, { error: 'Not now', code: 'temporarily_unavailable' });

beforeEach(() => act(() => toasts.clear()));
afterEach(() => act(() => toasts.clear()));

it('is the request id of an answer', async () => {
  server.use(
    http.get('/health', ({ response }) =>
      response.untyped(HttpResponse.json({ error: 'x' }, { status: 500, headers: { 'X-Request-Id': ID } })),
    ),
  );
  const error = await unwrap(publicApi.GET('/health')).catch((thrown: unknown) => thrown);
  expect(referenceOf(error)).toBe(ID);
});

it('is there for what nobody expects, and not where the server says what to do', () => {
  expect(referenceOf(unavailable())).toBe(ID);
  expect(referenceOf(failed(502, '<html></html>'))).toBe(ID);
  expect(referenceOf(failed(404, null))).toBe(ID);
  expect(referenceOf(failed(409, { error: 'The name is taken', code: 'username_taken' }))).toBeNull();
  expect(referenceOf(failed(503, { error: 'Not now' }, null))).toBeNull();
  expect(referenceOf(new Error('a mistake of the page'))).toBeNull();
});

it('stands in an error that fills a screen, and can be copied', async () => {
  const { user } = renderPart(<ErrorState title="Failed to load" reference={referenceOf(unavailable())} />);
  expect(screen.getByRole('alert')).toHaveTextContent(`Reference ${ID}`);
  await user.click(screen.getByRole('button', { name: 'Copy reference' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(ID));
});

it('is not spoken of where there is none', () => {
  renderPart(<ErrorState title="Failed to load" reference={null} />);
  expect(screen.getByRole('alert')).not.toHaveTextContent('Reference');
});

it('stands in a toast of an unexpected error, and in no other', async () => {
  renderPart(<p>Anything</p>);
  act(() => toast.failure(unavailable(), 'Failed to save'));
  expect(await screen.findByText(ID)).toBeInTheDocument();
  expect(screen.getByText('Not now')).toBeInTheDocument();
  act(() => toasts.clear());
  act(() => toast.failure(failed(409, { error: 'The name is taken' }), 'Failed to save'));
  expect(await screen.findByText('The name is taken')).toBeInTheDocument();
  expect(screen.queryByText(ID)).not.toBeInTheDocument();
});

it('of the last unexpected error stands on the page of a screen that could not be drawn', () => {
  failed(500, null, '019a9d5e-0000-4000-8000-000000000001');
  failed(409, { error: 'The name is taken' }, '019a9d5e-0000-4000-8000-000000000002');
  expect(lastReferenceOfPage()).toBe('019a9d5e-0000-4000-8000-000000000001');
  renderPart(<ErrorPage />);
  expect(screen.getByRole('alert')).toHaveTextContent('Reference 019a9d5e-0000-4000-8000-000000000001');
});
