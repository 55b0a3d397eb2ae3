import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { verifyTestData } from '../../../../shared/diagnostics/run/verify-test-data';

export const verifyState: Diagnostic = {
  name: 'Verify State',
  about: 'Looks for test data that were left behind, and checks what is stored.',
  run: ({ own, portal }) => verifyTestData(own, portal),
};
