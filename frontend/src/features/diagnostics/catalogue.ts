import type { Diagnostic } from '../../shared/diagnostics/run/diagnostic';
import type { Portal } from '../../shared/diagnostics/run/portal';
import { authenticationEndpoints } from './checks/api/authentication-endpoints';
import { clientCrud } from './checks/api/client-crud';
import { meetingEndpoints } from './checks/api/meeting-endpoints';
import { votingFlow } from './checks/api/voting-flow';
import { dataIntegrity } from './checks/database/data-integrity';
import { databaseConnection } from './checks/database/database-connection';
import { databaseSchema } from './checks/database/database-schema';
import { migrationsStatus } from './checks/database/migrations-status';
import { cleanupData } from './checks/integration/cleanup-data';
import { clientManagement } from './checks/integration/client-management';
import { completeWorkflow } from './checks/integration/complete-workflow';
import { liveSimulation } from './checks/integration/live-simulation';
import { meetingLifecycle } from './checks/integration/meeting-lifecycle';
import { userManagement } from './checks/integration/user-management';
import { verifyState } from './checks/integration/verify-state';
import { concurrentUsers } from './checks/performance/concurrent-users';
import { loadTesting } from './checks/performance/load-testing';
import { memoryUsage } from './checks/performance/memory-usage';
import { responseTime } from './checks/performance/response-time';
import { corsConfiguration } from './checks/security/cors-configuration';
import { jwtValidation } from './checks/security/jwt-validation';
import { roleBasedAccess } from './checks/security/role-based-access';
import { sqlInjection } from './checks/security/sql-injection';

/** A group of tests. */
export interface TestCard {
  title: string;
  about: string;
  tests: Diagnostic[];
}

/** Each portal has its own name for this test. */
const SIMULATION: Record<Portal, Diagnostic> = {
  SUPER_ADMIN: liveSimulation,
  CLIENT: { ...liveSimulation, name: 'Live Simulation' },
};

/** The cards of a portal, in the order of the specification. */
export function cardsOf(portal: Portal): TestCard[] {
  return [
    {
      title: 'Database Tests',
      about: 'Checks that the database can be reached, is up to date and is consistent.',
      tests: [databaseConnection, databaseSchema, migrationsStatus, dataIntegrity],
    },
    {
      title: 'API Tests',
      about: 'Checks that the API calls behind the screens work.',
      tests: [authenticationEndpoints, clientCrud, meetingEndpoints, votingFlow],
    },
    {
      title: 'Performance Tests',
      about: 'Measures how fast the server answers, alone and under load.',
      tests: [loadTesting, responseTime, memoryUsage, concurrentUsers],
    },
    {
      title: 'Security Tests',
      about: 'Checks that the server refuses unauthorized access.',
      tests: [jwtValidation, corsConfiguration, roleBasedAccess, sqlInjection],
    },
    {
      title: 'Integration Tests',
      about: 'Checks that all parts work together and that no test data is left behind.',
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
