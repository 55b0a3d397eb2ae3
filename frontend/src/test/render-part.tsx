import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { Providers } from '../app/providers';
import { createQueryClient } from '../app/query-client';

/** Mounts a shared part of several screens in a separate screen. */
export function renderPart(part: ReactNode): { user: UserEvent } {
  const router = createMemoryRouter([
    {
      path: '*',
      element: (
        <main id="main" tabIndex={-1}>
          {part}
        </main>
      ),
    },
  ]);
  render(
    <Providers queryClient={createQueryClient({ retry: false })} env="test">
      <RouterProvider router={router} />
    </Providers>,
  );
  return { user: userEvent.setup() };
}
