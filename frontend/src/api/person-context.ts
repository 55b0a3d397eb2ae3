import { createContext } from 'react';
import type { User } from './types';

/** Whose screen it is while that person's session is over and what they typed is kept. */
export const PersonContext = createContext<User | null>(null);
