import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { type SessionState, session } from '../api/session';
import { keepNotesOf } from '../shared/storage';
import { colorSchemeNote } from '../shared/theme/color-scheme-note';
import { cssVariablesResolver, theme } from '../shared/theme/theme';
import { Toaster } from '../shared/ui/toaster';
import { hasUnsavedWork } from '../shared/unsaved-work';

/** Deletes one person's cached data before the next person uses the app. */
function keepCacheToOnePerson(queryClient: QueryClient): () => void {
  let owner = ownerOf(session.state());
  let isOver = false;
  return session.subscribe(() => {
    const state = session.state();
    if (state.status === 'anonymous') {
      isOver = true;
      // An unsaved form depends on its cached data, and the same person may return to it.
      if (!(state.ended && hasUnsavedWork())) {
        queryClient.clear();
      }
    }
    if (state.status === 'signedIn') {
      keepNotesOf(state.user);
      if (owner !== undefined && owner !== ownerOf(state)) {
        queryClient.clear();
      } else if (isOver) {
        void queryClient.invalidateQueries();
      }
      owner = ownerOf(state);
      isOver = false;
    }
  });
}

function ownerOf(state: SessionState): string | undefined {
  return state.status === 'signedIn' ? state.user.id : undefined;
}

interface ProvidersProps {
  queryClient: QueryClient;
  env?: 'default' | 'test';
  children: ReactNode;
}

export function Providers({ queryClient, env = 'default', children }: ProvidersProps) {
  useEffect(() => keepCacheToOnePerson(queryClient), [queryClient]);

  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        // Tests load no stylesheets, and jsdom matches every rule of these two for every element that it looks at.
        withCssVariables={env !== 'test'}
        withGlobalClasses={env !== 'test'}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeNote}
        // All variables are defined here, so that Mantine's own 27 kB need not be loaded.
        deduplicateCssVariables={false}
        env={env}
      >
        <Toaster />
        {children}
      </MantineProvider>
    </QueryClientProvider>
  );
}
