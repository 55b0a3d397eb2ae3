import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { session } from '../api/session';
import { cssVariablesResolver, theme } from '../shared/theme/theme';

interface ProvidersProps {
  queryClient: QueryClient;
  env?: 'default' | 'test';
  children: ReactNode;
}

export function Providers({ queryClient, env = 'default', children }: ProvidersProps) {
  // What was read as one person must not be shown to the next one.
  useEffect(
    () =>
      session.subscribe(() => {
        if (session.state().status === 'anonymous') {
          queryClient.clear();
        }
      }),
    [queryClient],
  );

  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        env={env}
      >
        {/* In the middle: at the right they would lie over the main button and over the panels. */}
        <Notifications position="top-center" limit={4} />
        {children}
      </MantineProvider>
    </QueryClientProvider>
  );
}
