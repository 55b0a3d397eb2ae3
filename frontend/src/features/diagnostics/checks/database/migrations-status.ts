import type { MigrationsTest } from '../../../../api/types';
import type { Diagnostic } from '../../../../shared/diagnostics/run/diagnostic';
import { failure, success } from '../../../../shared/diagnostics/run/finding';
import { bodyOf, Unexpected } from '../../../../shared/diagnostics/run/unexpected';
import { countOf } from '../../../../shared/format';

export const migrationsStatus: Diagnostic = {
  name: 'Migrations Status',
  about: 'Checks that all migrations of this version have been applied.',
  run: async ({ own }) => {
    const answer = await own.get('/test/migrations');
    const { pending, details } = bodyOf<MigrationsTest>(answer, 200);
    const applied = details?.applied;
    if (!Array.isArray(pending) || typeof applied !== 'number') {
      throw new Unexpected(`${answer.call} did not answer with a list of migrations`, answer);
    }
    if (pending.length > 0) {
      const are = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
      return failure(
        `${are} pending: ${pending.join(', ')}. Restart Plenum, which migrates when it starts, or run "plenum migrate".`,
        { applied, pending },
      );
    }
    if (applied === 0) {
      return failure('No migration has been applied to the database.', { applied, pending });
    }
    return success(`The database has ${countOf(applied, 'migration')} applied and none pending.`, {
      applied,
      pending,
    });
  },
};
