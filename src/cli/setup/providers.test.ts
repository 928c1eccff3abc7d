/** provider list and provider check, on folders of the user. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  copyExample,
  entry,
  profile,
  remove,
  rewrite,
} from '../../../test/fixtures/providers/copy-example.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { FolderFault } from '../../providers/folders/folder-fault.ts';
import { collab } from '../command.test-helper.ts';
import type { ProviderLine } from './provider-list.ts';

function createPlace(env: Readonly<Record<string, string>> = {}) {
  const root = scratchFolder();
  return { root, env: { HOME: root, PATH: '/usr/bin:/bin', ...env } };
}

async function listed(place: ReturnType<typeof createPlace>): Promise<readonly ProviderLine[]> {
  const { code, out, err } = await collab(place, ['provider', 'list', '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

test('provider list has a folder of the user with its models, and what may be missing', async () => {
  const place = createPlace();
  const path = copyExample(join(place.root, 'ai_client'));
  const line = {
    name: 'echo',
    origin: path,
    roles: ['lead', 'advisor'],
    auth_mode: null,
    ready: true,
    missing: 'ECHO_API_KEY is not set, if it needs a key',
    models: ['echo-1'],
    faults: [],
    warnings: [],
  };
  expect((await listed(place)).at(-1)).toEqual(line);
  const empty = { ...place, env: { ...place.env, ECHO_API_KEY: '' } };
  expect((await listed(empty)).at(-1)).toEqual(line);
  const withKey = { ...place, env: { ...place.env, ECHO_API_KEY: 'key' } };
  expect((await listed(withKey)).at(-1)).toEqual({ ...line, missing: null });
});

test('provider list counts the faults of a folder, and shows each', async () => {
  const place = createPlace();
  const folder = copyExample(join(place.root, 'ai_client'));
  remove(entry)(folder);
  const one = (await listed(place)).at(-1);
  expect(one).toMatchObject({ ready: false, missing: '1 fault', faults: [{ code: 'entry_missing' }] });
  remove('ai_profile')(folder);
  const two = (await listed(place)).at(-1);
  expect(two?.missing).toBe(`${two?.faults.length} faults`);
  expect(two?.faults.length).toBeGreaterThan(1);
  const { out } = await collab(place, ['provider', 'list']);
  for (const { expected, fix } of two?.faults ?? []) {
    expect(out).toContain(`expected: ${expected}\n`);
    expect(out).toContain(`${fix}\n`);
  }
});

test('provider list names what a built-in provider misses, and its models', async () => {
  const [anthropic] = await listed(createPlace());
  expect(anthropic).toMatchObject({
    name: 'anthropic',
    origin: 'built in',
    roles: ['lead', 'advisor'],
    auth_mode: 'api_key',
    ready: false,
    missing: expect.stringMatching(/^ANTHROPIC_API_KEY is not set\. Set ANTHROPIC_API_KEY /),
    faults: [],
    warnings: [],
  });
  expect(anthropic?.models.length).toBeGreaterThan(0);
  const [ready] = await listed(createPlace({ ANTHROPIC_API_KEY: 'key' }));
  expect(ready).toMatchObject({ ready: true, missing: null });
});

function faultLines({ code, path, expected, fix }: FolderFault, mark = ''): readonly string[] {
  return [`  ${mark}${code}: ${path}`, `    expected: ${expected}`, `    ${fix}`];
}

test('provider list reads the configuration that a flag names', async () => {
  const place = createPlace();
  copyExample(join(place.root, 'mine'));
  writeFileSync(join(place.root, 'other.yaml'), 'provider_paths: [mine]\n');
  const { out } = await collab(place, ['provider', 'list', '--json', '--config', 'other.yaml']);
  expect(JSON.parse(out).at(-1)).toMatchObject({ name: 'echo', origin: join(place.root, 'mine/echo') });
  expect((await collab(place, ['provider', 'list', '--config', 'nothing.yaml'])).code).toBe(2);
});

/** The report of a check, from its facts. */
function reportOf(verdict: string, { faults, warnings, notes }: CheckedFacts): string {
  return [
    verdict,
    ...faults.flatMap((fault) => faultLines(fault)),
    ...warnings.flatMap((warning) => faultLines(warning, 'warning: ')),
    ...notes.map((note) => `  ${note}`),
    '',
  ].join('\n');
}

interface CheckedFacts {
  readonly name: string;
  readonly path: string;
  readonly faults: readonly FolderFault[];
  readonly warnings: readonly FolderFault[];
  readonly notes: readonly string[];
}

test('provider check lists all faults of a folder and ends with 1', async () => {
  const place = createPlace();
  const folder = copyExample(place.root);
  remove(entry)(folder);
  const asJson = await collab(place, ['provider', 'check', './echo', '--json']);
  const facts: CheckedFacts = JSON.parse(asJson.out);
  expect(facts).toEqual({
    name: 'echo',
    path: folder,
    faults: [expect.objectContaining({ code: 'entry_missing' })],
    warnings: [],
    notes: ['the code was not run: there is no entry file'],
  });
  expect(await collab(place, ['provider', 'check', './echo'])).toEqual({
    code: 1,
    out: reportOf('echo has faults: 1', facts),
    err: '',
  });
  expect(asJson.code).toBe(1);
});

test('a folder wins over a built-in provider of the same name, which its name then is a fault', async () => {
  const place = createPlace();
  mkdirSync(join(place.root, 'anthropic'));
  const { code, out } = await collab(place, ['provider', 'check', 'anthropic', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ path: join(place.root, 'anthropic') });
  expect(out).toContain('"name_taken"');
});

test('provider check of a built-in provider without its program says how to get it', async () => {
  const missing = await collab(createPlace({ PATH: '/nowhere' }), ['provider', 'check', 'codex']);
  expect([missing.code, missing.out]).toEqual([4, '']);
  expect(missing.err).toMatch(/^collab: .*codex.*\n {2}.*npm install/i);
});

test('a profile with a key that is not known is a warning', async () => {
  const place = createPlace();
  const folder = copyExample(place.root);
  remove(entry)(folder);
  rewrite(profile, '"provider": "echo"', '"provider": "echo", "mood": "good"')(folder);
  const { out } = await collab(place, ['provider', 'check', 'echo', '--json']);
  const facts: CheckedFacts = JSON.parse(out);
  expect(facts.warnings.length).toBeGreaterThan(0);
  expect((await collab(place, ['provider', 'check', 'echo'])).out).toBe(
    reportOf(`echo has faults: ${facts.faults.length}`, facts),
  );
});
