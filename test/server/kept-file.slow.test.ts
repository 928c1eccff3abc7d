/** Whole files of a change over HTTP: as the review kept them, and nothing else. */
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { tokenOf } from '../../src/server/guarded.test-helper.ts';
import { sampleSecrets } from '../fixtures/sample-secrets.ts';
import { scratchRepository } from '../fixtures/scratch-repository.ts';
import { beginReview, serveWorld, type ServedWorld } from './served-folder.ts';

const secret = sampleSecrets[0]?.secret ?? '';
const lineOf = (number: number): string =>
  number === 50 ? `const key = '${secret}';` : `export const line${number} = ${number};`;
const lines = Array.from({ length: 60 }, (_, index) => lineOf(index + 1));
const textOf = (changed: string): string => `${lines.with(29, changed).join('\n')}\n`;

/** A server of a repository with a changed line in the middle of a file, and agents that find nothing. */
async function serveChange(): Promise<ServedWorld> {
  const repository = scratchRepository();
  const turns = [{ answer: wholeAnswer, repeat: 'forever' }];
  repository.write('script.yaml', stringify({ agent: { name: 'Codex' }, turns }));
  repository.write('long.ts', textOf(lineOf(30)));
  repository.write('gone.ts', 'export {};\n');
  repository.write('same.ts', 'export {};\n');
  repository.write('.env', 'A=1\nB=2\n');
  repository.commit('first');
  repository.write('long.ts', textOf('export const line30 = 31;'));
  repository.write('.env', 'A=1\nB=3\n');
  rmSync(join(repository.root, 'gone.ts'));
  return serveWorld({ root: repository.root });
}

async function reviewed(world: ServedWorld, fields: object = {}): Promise<string> {
  const run = await beginReview(world, { input: {}, ...fields });
  await world.ask(`${run}/events`);
  return run;
}

const fileOf = (world: ServedWorld, run: string, path: string, headers = {}) =>
  world.ask(`${run}/file?path=${encodeURIComponent(path)}`, { headers });

test('a file is as the review read it, with its secrets masked, whatever the folder has by now', async () => {
  const world = await serveChange();
  const run = await reviewed(world);
  writeFileSync(join(world.root, 'long.ts'), 'something else\n');
  const { status, text, headers } = await fileOf(world, run, 'long.ts');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=UTF-8']);
  expect(text.replace(/\*+/, secret)).toBe(textOf('export const line30 = 31;'));
  expect(text).not.toContain(secret);
  const diff = await world.ask(`${run}/diff`, { method: 'HEAD' });
  const asked = await world.ask(`${run}/file?path=long.ts`, { method: 'HEAD' });
  expect([diff.status, asked.status, asked.text]).toEqual([200, 200, '']);
  expect((await world.ask(`${run}/file?path=same.ts`, { method: 'HEAD' })).status).toBe(404);
  expect(world.faults).toEqual([]);
});

test('a file that is not changed, or not there, is missing; a secret file is not given', async () => {
  const world = await serveChange();
  const run = await reviewed(world);
  const paths = ['same.ts', 'gone.ts', 'script.yaml', '../long.ts', '/etc/passwd', './long.ts', 'long.ts\0'];
  const missing = await Promise.all(paths.map((path) => fileOf(world, run, path)));
  expect(missing.map(({ status }) => status)).toEqual(paths.map(() => 404));
  const env = await fileOf(world, run, '.env');
  expect([env.status, env.text]).toMatchObject([409, expect.stringContaining('did not keep .env')]);
  const queries = ['', '?path=', `?path=${'x'.repeat(4097)}`, '?other=long.ts'];
  const invalid = await Promise.all(queries.map((query) => world.ask(`${run}/file${query}`)));
  expect(invalid.map(({ status }) => status)).toEqual(queries.map(() => 422));
  expect((await fileOf(world, run.replace(/[^/]+$/, 'unknown'), 'long.ts')).status).toBe(404);
  expect(world.faults).toEqual([]);
});

test('a review that kept no files, and one of a diff, are a conflict', async () => {
  const world = await serveChange();
  const diff = `--- a/same.ts\n+++ b/same.ts\n@@ -1 +1,2 @@\n export {};\n+export {};\n`;
  const runs = [
    await reviewed(world, { advisor: 'static_review', lead: 'none' }),
    await reviewed(world, { input: { diff } }),
  ];
  const answers = [
    await fileOf(world, runs[0] ?? '', 'long.ts'),
    await fileOf(world, runs[1] ?? '', 'same.ts'),
  ];
  expect(answers.map(({ status, text }) => [status, /"detail":"([^"]*)/.exec(text)?.[1]])).toEqual([
    [409, expect.stringContaining('The review has no whole text: it')],
    [409, 'The review has no whole text: its change is a diff from elsewhere'],
  ]);
});

test('a guest reads files of its own reviews, and only with the grant for the repository', async () => {
  const world = await serveChange();
  const repo = `repo:${basename(world.root)}`;
  const [granted, none, other] = [
    tokenOf(world, 'acme', repo),
    tokenOf(world, 'acme'),
    tokenOf(world, 'other', repo),
  ];
  const begun = await world.ask('/api/tenants/acme/conversations/first/runs', {
    method: 'POST',
    body: { kind: 'review', input: {} },
    headers: granted,
  });
  const run = begun.headers.location ?? '';
  await world.ask(`${run}/events`, { headers: granted });
  const answers = [
    await fileOf(world, run, 'long.ts', granted),
    await fileOf(world, run, 'long.ts', none),
    await fileOf(world, run, 'long.ts', other),
    await fileOf(world, run.replace('/acme/', '/other/'), 'long.ts', other),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 404, 404]);
  expect(answers[1]?.text).toContain(`--may ${repo}`);
});
