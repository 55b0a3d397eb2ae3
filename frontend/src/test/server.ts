import { setupServer } from 'msw/node';
import { createOpenApiHttp } from 'openapi-msw';
import { apiUrl } from '../api/base-path';
import type { paths } from '../api/schema';

/** Handlers typed by the API's schema: `http.get('/client/meetings', ({ response }) => response(200).json([]))`. */
export const http = createOpenApiHttp<paths>({ baseUrl: apiUrl });

export const NO_BRANDING = { accent: null, logoVersion: null };

/**
 * Has almost no default answers: each test adds its own. Every sign-in requests the options, every screen of a voter and
 * every presentation the branding, and every form with a choice of groups or kinds of weight these.
 */
export const server = setupServer(
  http.get('/client/groups', ({ response }) => response(200).json({ success: true, data: [] })),
  http.get('/client/weight-kinds', ({ response }) => response(200).json({ success: true, data: [] })),
  http.get('/auth/options', ({ response }) => response(200).json({ canResetPassword: false })),
  http.get('/public/client/{clientCode}', ({ params: { clientCode }, response }) =>
    response(200).json({ success: true, client: { name: 'Rowing Club', clientCode, branding: NO_BRANDING } }),
  ),
);
