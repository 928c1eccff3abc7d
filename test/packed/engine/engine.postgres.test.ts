/** `collab engine`, installed, on a database of the test's own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../../src/engine/postgres/migrations.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { inPlace } from '../place.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

test('a database is migrated once, tried and cleaned', async () => {
  const COLLAB_ENGINE = await cluster.createDatabase();
  await inPlace(
    async ({ collab }) => {
      const engine = (...words: readonly string[]) =>
        collab(['engine', ...words], { env: { COLLAB_ENGINE } });
      expect(await engine('check')).toMatchObject({
        code: 2,
        stderr: 'collab: The database holds no tables of collab\n  collab engine migrate creates them.\n',
      });
      expect(await engine('migrate')).toMatchObject({
        code: 0,
        stdout: `applied migrations: ${migrations.map((_, index) => index + 1).join(', ')}\n`,
      });
      expect(await engine('migrate')).toMatchObject({ code: 0, stdout: 'the tables are up to date\n' });
      const checked = await engine('check');
      expect(checked).toMatchObject({ code: 0, stderr: '' });
      expect(checked.stdout).toMatch(
        /^PostgreSQL [\d.]+, tables of version \d+\na record is durable after [\d.]+ ms, another process has a reply after \d+ ms\n0 runs, 0 processes at work\n$/,
      );
      const json = await engine('check', '--json');
      expect(JSON.parse(json.stdout)).toMatchObject({ version: migrations.length, runs: 0, processes: 0 });
      expect(await engine('clean')).toMatchObject({
        code: 0,
        stdout: 'removed 0 runs and 0 processes that are gone\n',
      });
    },
    ['pg'],
  );
}, 240_000);

test('an address that is missing or wrong, and a missing package, are named', async () => {
  const database = await cluster.createDatabase();
  await inPlace(async ({ collab }) => {
    expect(await collab(['engine', 'check'])).toMatchObject({
      code: 2,
      stderr: 'collab: No database is named\n  use --engine postgres://… or set COLLAB_ENGINE\n',
    });
    expect(await collab(['engine', 'check', '--engine', 'mysql://localhost/collab'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('begins with postgres://'),
    });
    expect(await collab(['engine', 'check', '--engine', database])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('needs the package pg, which is not installed\n  npm install pg'),
    });
  });
}, 240_000);

test('a database that is not there or out of reach is named', async () => {
  const nowhere = `postgres://guest@/none?host=${encodeURIComponent('/nowhere')}`;
  const unknown = (await cluster.createDatabase()).replace('/db', '/other');
  await inPlace(
    async ({ collab }) => {
      expect(await collab(['engine', 'check', '--engine', nowhere])).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('The database is out of reach'),
      });
      expect(await collab(['engine', 'check', '--engine', unknown])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/The database cannot be opened: database "other\d" does not exist/),
      });
    },
    ['pg'],
  );
}, 240_000);
