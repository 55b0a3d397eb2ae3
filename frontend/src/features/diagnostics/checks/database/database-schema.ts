import type { SchemaTest } from '../../../../api/types';
import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { failure, success } from '../../../../shared/diagnostics/run/finding';
import { bodyOf, Unexpected } from '../../../../shared/diagnostics/run/unexpected';
import { countOf } from '../../../../shared/format';

/** The number of differences in the message; the details list all of them. */
const NAMED = 3;

export const databaseSchema: Diagnostic = {
  name: 'Database Schema',
  about: 'Checks that tables, columns, constraints, indexes and triggers match this version.',
  run: async ({ own }) => {
    const answer = await own.get('/test/schema');
    const { isValid, message, details } = bodyOf<SchemaTest>(answer, 200);
    if (typeof isValid !== 'boolean' || !Array.isArray(details?.differences)) {
      throw new Unexpected(`${answer.call} did not answer with a comparison`, answer);
    }
    const { differences } = details;
    if (isValid && differences.length === 0) {
      return success('Tables, columns, constraints, indexes and triggers match this version.', details);
    }
    const named = differences.slice(0, NAMED).join(' ');
    const rest = differences.length > NAMED ? ' The details list the others.' : '';
    const found =
      differences.length > 0
        ? `${countOf(differences.length, 'difference')} from the schema of this version: ${named}${rest}`
        : message;
    return failure(`${found} Undo any manual changes, or restart Plenum if a migration is pending.`, details);
  },
};
