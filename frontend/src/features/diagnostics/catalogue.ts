import type { Diagnostic, Portal } from '../../shared/diagnostics/run/diagnostic';
import { authenticationEndpoints } from './tests/authentication-endpoints';
import { cleanupData } from './tests/cleanup-data';
import { clientCrud } from './tests/client-crud';
import { clientManagement } from './tests/client-management';
import { completeWorkflow } from './tests/complete-workflow';
import { concurrentUsers } from './tests/concurrent-users';
import { corsConfiguration } from './tests/cors-configuration';
import { dataIntegrity } from './tests/data-integrity';
import { databaseConnection } from './tests/database-connection';
import { databaseSchema } from './tests/database-schema';
import { jwtValidation } from './tests/jwt-validation';
import { liveSimulation } from './tests/live-simulation';
import { loadTesting } from './tests/load-testing';
import { meetingEndpoints } from './tests/meeting-endpoints';
import { meetingLifecycle } from './tests/meeting-lifecycle';
import { memoryUsage } from './tests/memory-usage';
import { migrationsStatus } from './tests/migrations-status';
import { responseTime } from './tests/response-time';
import { roleBasedAccess } from './tests/role-based-access';
import { sqlInjection } from './tests/sql-injection';
import { userManagement } from './tests/user-management';
import { verifyState } from './tests/verify-state';
import { votingFlow } from './tests/voting-flow';

/** Tests that belong together. */
export interface TestCard {
  title: string;
  about: string;
  tests: Diagnostic[];
}

/** Each portal has its own name for it. */
const SIMULATION: Record<Portal, Diagnostic> = {
  SUPER_ADMIN: liveSimulation,
  CLIENT: { ...liveSimulation, name: 'Live Simulation' },
};

/** The cards of a portal, in the order of the specification. */
export function cardsOf(portal: Portal): TestCard[] {
  return [
    {
      title: 'Database Tests',
      about: 'Whether the database is there, as it should be, and whole.',
      tests: [databaseConnection, databaseSchema, migrationsStatus, dataIntegrity],
    },
    {
      title: 'API Tests',
      about: 'Whether the calls behind the screens do what they should.',
      tests: [authenticationEndpoints, clientCrud, meetingEndpoints, votingFlow],
    },
    {
      title: 'Performance Tests',
      about: 'How fast the server answers, and what many people at once cost it.',
      tests: [loadTesting, responseTime, memoryUsage, concurrentUsers],
    },
    {
      title: 'Security Tests',
      about: 'Whether what must be kept out is kept out.',
      tests: [jwtValidation, corsConfiguration, roleBasedAccess, sqlInjection],
    },
    {
      title: 'Integration Tests',
      about: 'Whether all of it works together, and whether anything was left behind.',
      tests: [
        completeWorkflow,
        clientManagement,
        userManagement,
        meetingLifecycle,
        SIMULATION[portal],
        cleanupData,
        verifyState,
      ],
    },
  ];
}
