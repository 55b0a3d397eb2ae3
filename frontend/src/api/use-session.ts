import { use, useSyncExternalStore } from 'react';
import { PersonContext } from './person-context';
import { type SessionState, session } from './session';
import type { User } from './types';

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}

/** The signed-in person, or null. */
export function useUser(): User | null {
  const person = use(PersonContext);
  const state = useSession();
  return state.status === 'signedIn' ? state.user : person;
}
