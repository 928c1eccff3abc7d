import { expect, test } from 'vitest';
import { migrations } from '../../engine/postgres/migrations.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { collab } from '../command.test-helper.ts';
import { nowhere } from './engine-with-run.test-helper.ts';
import { scriptDatabase, type Answer } from './scripted-database.test-helper.ts';
import { acme, ownTenant } from './tenant-limits.test-helper.ts';

const address = 'postgres://collab@localhost/collab';

function engine(...words: readonly string[]) {
  return collab(nowhere, ['engine', ...words, '--engine', address], { clock: createManualClock() });
}

/** A database that keeps a run for the probe, and counts these. */
function probed(counts: object): Readonly<Record<string, Answer>> {
  let runId = '';
  return {
    'insert into collab.run (id': ([id]) => ((runId = String(id)), []),
    'for update': () => [{ owner: null, owned_at: null }],
    'returning generation': () => [{ generation: 1 }],
    'select id from mine': () => [{ id: runId }],
    'select run.id from collab.run': () => [{ id: runId }],
    'select owner from collab.run': () => [{ owner: 7 }],
    'returning id': () => [{ id: '1' }],
    'select reply from': () => [{ reply: JSON.stringify({ ok: true, state: 'running' }) }],
    "current_setting('server_version')": () => [counts],
  };
}

test('engine check tries the database and says in words and as JSON what it found', async () => {
  scriptDatabase(probed({ server: '15.18', runs: 1, processes: 3 }));
  const { code, out, err } = await engine('check');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    new RegExp(
      `^PostgreSQL 15\\.18, tables of version ${migrations.length}\n` +
        'a record is durable after \\d+\\.\\d ms, another process has a reply after \\d+ ms\n' +
        '1 run, 1 process at work\n$',
    ),
  );
  const asJson = await engine('check', '--json');
  expect([asJson.code, JSON.parse(asJson.out)]).toEqual([
    0,
    {
      server: '15.18',
      version: migrations.length,
      durableMs: expect.any(Number),
      replyMs: expect.any(Number),
      runs: 1,
      processes: 1,
    },
  ]);
});

test('engine check counts several runs and processes', async () => {
  scriptDatabase(probed({ server: '16.1', runs: 0, processes: 4 }));
  expect((await engine('check')).out).toMatch(/\n0 runs, 2 processes at work\n$/);
});

test('engine migrate names the migrations that it applies', async () => {
  const { opened } = scriptDatabase({ 'max(number)': () => [{ newest: migrations.length - 2 }] });
  expect(await engine('migrate')).toEqual({
    code: 0,
    out: `applied migrations: ${migrations.length - 1}, ${migrations.length}\n`,
    err: '',
  });
  expect(opened).toEqual([address]);
  scriptDatabase();
  expect(await engine('migrate')).toEqual({ code: 0, out: 'the tables are up to date\n', err: '' });
});

test('engine clean removes runs that ended 30 days ago, or before another time', async () => {
  const { asked, opened } = scriptDatabase({
    'delete from collab.run where': () => [{}, {}, {}],
    'delete from collab.process': () => [{}],
  });
  const removed = { code: 0, out: 'removed 3 runs and 1 processes that are gone\n', err: '' };
  expect(await engine('clean')).toEqual(removed);
  expect(await engine('clean', '--older-than', '2h')).toEqual(removed);
  const ages = asked.flatMap(({ sql, values }) =>
    sql.includes('delete from collab.run where') ? values : [],
  );
  expect([ages, opened]).toEqual([[30 * 24 * 3600, 2 * 3600], [address]]);
});

const codex = { provider: 'codex', callsPerMinute: 60 };
const anthropic = { provider: 'anthropic', callsPerMinute: 10 };

/** The settings that were written, by the first word of their statement and its values. */
function limited() {
  const { asked } = scriptDatabase({
    'order by 1': () => [acme, ownTenant],
    'order by name': () => [anthropic, codex],
  });
  return () =>
    asked.flatMap(({ sql, values }) => {
      const [, change] = /^(insert into|delete from) collab\.(?:tenant|provider)/.exec(sql) ?? [];
      return change === undefined ? [] : [[change, ...values]];
    });
}

const acmeLine = 'acme: share 2, 3 of 200 queued, 1 run at work, $1.50 of $50 used today\n';
const localLine = 'local: share 1, 3 of 200 queued, 1 run at work\n';

test('engine limits shows all tenants and providers, and changes nothing', async () => {
  const written = limited();
  expect(await engine('limits')).toEqual({
    code: 0,
    out: `${acmeLine}${localLine}anthropic: 10 calls a minute\ncodex: 60 calls a minute\n`,
    err: '',
  });
  const { out } = await engine('limits', '--json');
  expect(JSON.parse(out)).toMatchObject({
    tenants: [{ tenant: 'acme' }, { tenant: 'local', usd_per_day: null }],
  });
  expect(written()).toEqual([]);
});

test('engine limits of a tenant shows it alone, and sets what is named', async () => {
  const written = limited();
  expect(await engine('limits', 'acme')).toEqual({ code: 0, out: acmeLine, err: '' });
  expect(written()).toEqual([]);
  for (const words of [
    ['--share', '2'],
    ['--queued', '0'],
    ['--usd-per-day', 'none'],
    ['--usd-per-day', '1.5'],
  ])
    expect(await engine('limits', 'acme', ...words)).toEqual({ code: 0, out: acmeLine, err: '' });
  expect(await engine('limits', 'a'.repeat(128), '--share', '0.001')).toEqual({
    code: 0,
    out: 'no limits are set, and no run waits\n',
    err: '',
  });
  expect(written()).toEqual([
    ['insert into', 'acme', 2, null, null],
    ['insert into', 'acme', null, 0, null],
    ['insert into', 'acme', null, null, Infinity],
    ['insert into', 'acme', null, null, 1.5],
    ['insert into', 'a'.repeat(128), 0.001, null, null],
  ]);
});

test('engine limits of a provider shows it alone, sets its rate, and removes it', async () => {
  const written = limited();
  const shown = { code: 0, out: 'codex: 60 calls a minute\n', err: '' };
  expect(await engine('limits', '--provider', 'codex', '--calls-per-minute', '60')).toEqual(shown);
  expect(await engine('limits', '--provider', 'codex', '--calls-per-minute', 'none')).toEqual(shown);
  const both = ['acme', '--share', '1000', '--provider', 'codex', '--calls-per-minute', '1'];
  expect((await engine('limits', ...both)).out).toBe(`${acmeLine}${shown.out}`);
  expect(written()).toEqual([
    ['insert into', 'codex', 60],
    ['delete from', 'codex'],
    ['insert into', 'acme', 1000, null, null],
    ['insert into', 'codex', 1],
  ]);
});
