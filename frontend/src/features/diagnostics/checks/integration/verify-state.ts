import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { verifyTestData } from '../../../../shared/diagnostics/run/verify-test-data';

export const verifyState: Diagnostic = {
  name: 'Verify State',
  about: 'Looks for test data left behind and checks the stored data.',
  run: ({ own, portal }) => verifyTestData(own, portal),
};
