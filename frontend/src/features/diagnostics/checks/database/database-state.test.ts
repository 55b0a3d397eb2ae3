import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { withFakePlenum } from '../../../../test/diagnostic-run';
import { dataIntegrity } from './data-integrity';
import { databaseSchema } from './database-schema';
import { migrationsStatus } from './migrations-status';

const { fake, run } = withFakePlenum();

function answerWith(body: unknown, status = 200): void {
  fake().sick = ({ path }) =>
    path.startsWith('/test/') ? HttpResponse.json(body as object, { status }) : undefined;
}

describe('the schema', () => {
  it('is green without a difference', async () => {
    answerWith({ isValid: true, message: 'Fine.', details: { differences: [] } });
    expect(await run(databaseSchema)).toMatchObject({ status: 'success', details: { differences: [] } });
  });

  it('is red with differences, and names them', async () => {
    const differences = ['The index a is missing.', 'The column b is missing.', 'c.', 'd.'];
    answerWith({ isValid: false, message: '4 differences.', details: { differences } });
    const result = await run(databaseSchema);
    expect(result.status).toBe('error');
    expect(result.message).toMatch(
      /^4 differences from the schema of this version: The index a is missing\. The column b is missing\. c\. The details list the others/,
    );
    expect(result.details).toEqual({ differences });
  });

  it.each([
    [{ isValid: true, details: { differences: ['The index a is missing.'] } }],
    [{ isValid: false, message: 'It could not be read.', details: { differences: [] } }],
    [{ success: true }],
    ['<html>'],
  ])('is red where the answer is %j', async (body) => {
    answerWith(body);
    expect((await run(databaseSchema)).status).toBe('error');
  });
});

describe('the migrations', () => {
  it('are green where none is pending', async () => {
    answerWith({ pending: [], details: { applied: 9 } });
    expect(await run(migrationsStatus)).toMatchObject({
      status: 'success',
      message: 'The database has 9 migrations applied and none pending.',
    });
  });

  it('are red where one is pending, by its name', async () => {
    answerWith({ pending: ['2026-11-21-000010_test_data'], details: { applied: 8 } });
    const result = await run(migrationsStatus);
    expect(result.status).toBe('error');
    expect(result.message).toMatch(/^1 migration is pending: 2026-11-21-000010_test_data\. Restart Plenum/);
  });

  it.each([[{ pending: [], details: { applied: 0 } }], [{ success: true }], ['<html>']])(
    'are red where the answer is %j',
    async (body) => {
      answerWith(body);
      expect((await run(migrationsStatus)).status).toBe('error');
    },
  );
});

describe('what is stored', () => {
  const checks = [
    { name: 'vote_count', issuesFound: 0 },
    { name: 'missing_parent', issuesFound: 0 },
  ];
  const issue = { check: 'vote_count', table: 'rounds', id: 'r1', message: 'The counters say 12 votes.' };

  it('is green where no check finds anything', async () => {
    answerWith({ isValid: true, message: 'Fine.', details: { issuesFound: 0, issues: [], checks } });
    expect(await run(dataIntegrity)).toMatchObject({
      status: 'success',
      message: '2 checks of the stored data found no issue.',
    });
  });

  it('is red with issues, and names table, row and sentence', async () => {
    answerWith({
      isValid: false,
      message: '5',
      details: { issuesFound: 5, issues: Array(4).fill(issue), checks },
    });
    const result = await run(dataIntegrity);
    expect(result.status).toBe('error');
    expect(result.message).toMatch(
      /^5 issues in the stored data: (rounds r1: The counters say 12 votes\. ){3}The details list the others\./,
    );
  });

  it.each([
    [{ isValid: true, message: '', details: { issuesFound: 1, issues: [issue], checks } }],
    [{ isValid: false, message: 'A check could not run.', details: { issuesFound: 0, issues: [], checks } }],
    [{ isValid: true, message: 'Fine.', details: { issuesFound: 0, issues: [], checks: [] } }],
    [{ success: true }],
  ])('is red where the answer is %j', async (body) => {
    answerWith(body);
    expect((await run(dataIntegrity)).status).toBe('error');
  });

  it('is red with issues and a check that could not run, and names both', async () => {
    const failed = { name: 'missing_parent', issuesFound: 0, failure: 'canceling statement.' };
    answerWith({
      isValid: false,
      message: '1 issue was found.',
      details: { issuesFound: 1, issues: [issue], checks: [checks[0], failed] },
    });
    const result = await run(dataIntegrity);
    expect(result.status).toBe('error');
    expect(result.message).toBe(
      '1 issue in the stored data: rounds r1: The counters say 12 votes. The check missing_parent could not be run: canceling statement. Have this investigated before the next vote. Results may be wrong.',
    );
  });

  it('is red where it could not be looked at', async () => {
    answerWith({ error: 'Not now.' }, 503);
    expect((await run(dataIntegrity)).status).toBe('error');
  });
});
