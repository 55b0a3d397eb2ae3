import { act, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { session } from '../api/session';
import type { User } from '../api/types';
import { Providers } from '../app/providers';
import { createQueryClient } from '../app/query-client';
import { routes } from '../app/routes';
import { http, server } from './server';

interface RenderedApp {
  user: UserEvent;
  /** The current path and query of the app. */
  location: () => string;
  /** Presses the browser's back button. */
  goBack: () => Promise<void>;
}

/** Mounts the real routes at a path, with a session or without one. */
export async function renderApp(path: string, { as }: { as?: User } = {}): Promise<RenderedApp> {
  if (as) {
    window.localStorage.setItem('accessToken', `token-of-${as.role}`);
    window.localStorage.setItem('refreshToken', `refresh-of-${as.role}`);
    server.use(http.get('/auth/me', ({ response }) => response(200).json({ user: as })));
    await session.resolve();
  }
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <Providers queryClient={createQueryClient({ retry: false })} env="test">
      <RouterProvider router={router} />
    </Providers>,
  );
  return {
    user: userEvent.setup(),
    location: () => `${router.state.location.pathname}${router.state.location.search}`,
    goBack: () => act(() => router.navigate(-1)),
  };
}
