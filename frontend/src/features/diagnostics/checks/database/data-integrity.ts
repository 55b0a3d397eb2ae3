import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { checkIntegrity } from '../../../../shared/diagnostics/run/integrity';

export const dataIntegrity: Diagnostic = {
  name: 'Data Integrity',
  about: 'Checks that the stored data is consistent. Takes minutes with millions of votes.',
  run: ({ own }) => checkIntegrity(own),
};
