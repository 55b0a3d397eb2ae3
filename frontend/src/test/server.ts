import { setupServer } from 'msw/node';
import { createOpenApiHttp } from 'openapi-msw';
import { apiUrl } from '../api/base-path';
import type { paths } from '../api/schema';

/** Handlers typed by the API's schema: `http.get('/client/meetings', ({ response }) => response(200).json([]))`. */
export const http = createOpenApiHttp<paths>({ baseUrl: apiUrl });

/** Has almost no default answers: each test adds its own. Every sign-in requests the options. */
export const server = setupServer(
  http.get('/auth/options', ({ response }) => response(200).json({ canResetPassword: false })),
);
