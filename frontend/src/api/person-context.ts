import { createContext } from 'react';
import type { User } from './types';

/** The owner of the screen, while their session has ended and their unsaved input is kept. */
export const PersonContext = createContext<User | null>(null);
