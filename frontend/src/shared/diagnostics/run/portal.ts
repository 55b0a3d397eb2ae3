import type { Role } from '../../../api/types';

/** The portals that have tests. */
export type Portal = Exclude<Role, 'END_USER'>;
