import { setupServer } from 'msw/node';
import { createOpenApiHttp } from 'openapi-msw';
import { apiUrl } from '../api/base-path';
import type { paths } from '../api/schema';

/** Handlers typed by the API's schema: `http.get('/client/meetings', ({ response }) => response(200).json([]))`. */
export const http = createOpenApiHttp<paths>({ baseUrl: apiUrl });

/** Answers next to nothing by itself: each test says what the server knows. Every sign-in asks what it may offer. */
export const server = setupServer(
  http.get('/auth/options', ({ response }) => response(200).json({ canResetPassword: false })),
);
