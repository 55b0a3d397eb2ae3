import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { onDatabase, type Sql } from './support/database';
import { openTests, runTest } from './support/diagnostics';
import { asSuperAdmin, foundOrganization } from './support/organization';
import { signInAsOrganizer } from './support/organizer';
import { PlenumServer } from './support/plenum-server';
import { SlowWay } from './support/slow-proxy';
import { DESKTOP, expect, testOnOwnServer as test } from './support/test';

test('what is wrong with the database turns the right test red, and is named', async ({ server, openAs }) => {
  const organization = await foundOrganization(server.url, 'Sick');
  const root = await openAs(DESKTOP, (await asSuperAdmin(server.url)).browser);
  const organizer = await openAs(DESKTOP, organization.caller.browser);
  const sick = (spoil: (sql: Sql) => Promise<unknown>) => onDatabase(server, spoil);
  const portals = [
    { page: root, portal: 'admin' },
    { page: organizer, portal: 'client' },
  ] as const;
  for (const { page, portal } of portals) {
    await openTests(page, portal);
  }

  await test.step('a pending migration', async () => {
    const newest = newestMigration();
    const [last] = await sick(
      (sql) => sql`
        DELETE FROM __diesel_schema_migrations
        WHERE version = (SELECT max(version) FROM __diesel_schema_migrations) RETURNING version, run_on`,
    ).then((rows) => rows as { version: string }[]);
    for (const { page } of portals) {
      await expectRed(page, 'Migrations Status', new RegExp(`pending: ${newest}`));
      await expectGreen(page, 'Data Integrity');
    }
    await sick(
      (sql) => sql`INSERT INTO __diesel_schema_migrations (version) VALUES (${last?.version ?? ''})`,
    );
    await expectGreen(root, 'Migrations Status');
  });

  await test.step('an orphan row', async () => {
    const orphan = randomUUID();
    await sick((sql) =>
      sql.begin(async (change) => {
        await change`SET LOCAL session_replication_role = replica`;
        await change`
          INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type,
                                 is_required, created_at)
          VALUES (${orphan}, ${organization.id}, ${randomUUID()}, 1, 'Whose?', 'OPEN_TEXT', true, now())`;
      }),
    );
    for (const { page } of portals) {
      await expectRed(page, 'Data Integrity', new RegExp(`questions[^]*${orphan}`));
      await expectGreen(page, 'Database Schema');
    }
    await sick((sql) => sql`DELETE FROM questions WHERE id = ${orphan}`);
    await expectGreen(organizer, 'Data Integrity');
  });

  await test.step('a dropped index', async () => {
    await sick((sql) => sql`DROP INDEX meetings_client_id_created_at_idx`);
    for (const { page } of portals) {
      await expectRed(page, 'Database Schema', /meetings_client_id_created_at_idx/);
      await expectGreen(page, 'Migrations Status');
    }
    await sick(
      (sql) => sql`CREATE INDEX meetings_client_id_created_at_idx ON meetings (client_id, created_at)`,
    );
    await expectGreen(root, 'Database Schema');
  });
});

test('a database that has become slow is found out, and blamed', async ({ server, openAs }) => {
  const way = await SlowWay.to(server);
  const slow = await PlenumServer.start({ ...server.sharedKeys, DATABASE_URL: way.databaseUrl });
  try {
    const organization = await foundOrganization(slow.url, 'Slow');
    const page = await openAs(DESKTOP, { baseURL: slow.url });
    await signInAsOrganizer(page, organization.admin);
    await openTests(page, 'client');
    await expectGreen(page, 'Database Connection');

    way.delay = 70;
    for (const name of ['Database Connection', 'Response Time Analysis']) {
      const { status, message } = await runTest(page, name);
      expect(status, `${name}: ${message}`).toMatch(/^(Warning|Error)$/);
      expect(message).toMatch(/database/i);
    }

    way.delay = 350;
    await expectRed(page, 'Database Connection', /database/i);

    way.delay = 0;
    await expectGreen(page, 'Database Connection');
  } finally {
    await slow.stop();
    await way.stop();
  }
});

/** The name of the latest migration in a new database: `2026-11-21-000001_clients` and so on. */
function newestMigration(): string {
  const names = readdirSync('../migrations', { withFileTypes: true });
  return (
    names
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort()
      .at(-1) ?? ''
  );
}

async function expectGreen(page: Page, name: string): Promise<void> {
  const { status, message } = await runTest(page, name);
  expect(status, `${name}: ${message}`).toBe('Success');
}

async function expectRed(page: Page, name: string, cause: RegExp): Promise<void> {
  const { status, message } = await runTest(page, name);
  expect(status, `${name}: ${message}`).toBe('Error');
  expect(message).toMatch(cause);
}
