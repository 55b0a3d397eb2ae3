import type { Diagnostic, Portal } from '../../shared/diagnostics/run/diagnostic';
import { authenticationEndpoints } from './checks/authentication-endpoints';
import { cleanupData } from './checks/cleanup-data';
import { clientCrud } from './checks/client-crud';
import { clientManagement } from './checks/client-management';
import { completeWorkflow } from './checks/complete-workflow';
import { concurrentUsers } from './checks/concurrent-users';
import { corsConfiguration } from './checks/cors-configuration';
import { dataIntegrity } from './checks/data-integrity';
import { databaseConnection } from './checks/database-connection';
import { databaseSchema } from './checks/database-schema';
import { jwtValidation } from './checks/jwt-validation';
import { liveSimulation } from './checks/live-simulation';
import { loadTesting } from './checks/load-testing';
import { meetingEndpoints } from './checks/meeting-endpoints';
import { meetingLifecycle } from './checks/meeting-lifecycle';
import { memoryUsage } from './checks/memory-usage';
import { migrationsStatus } from './checks/migrations-status';
import { responseTime } from './checks/response-time';
import { roleBasedAccess } from './checks/role-based-access';
import { sqlInjection } from './checks/sql-injection';
import { userManagement } from './checks/user-management';
import { verifyState } from './checks/verify-state';
import { votingFlow } from './checks/voting-flow';

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
