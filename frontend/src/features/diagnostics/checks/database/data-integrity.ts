import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { checkIntegrity } from '../../../../shared/diagnostics/run/integrity';

export const dataIntegrity: Diagnostic = {
  name: 'Data Integrity',
  about: 'Whether what is stored holds together. Takes minutes where there are millions of votes.',
  run: ({ own }) => checkIntegrity(own),
};
