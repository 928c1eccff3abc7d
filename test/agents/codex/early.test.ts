/** A server that is started before its run: it is used if it fits, and removed completely if it does not. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { codexProvider } from '../../../src/providers/codex/advisor.ts';
import type { OpenOptions } from '../../../src/providers/contract/contract.ts';
import { ask, startScriptedCodex } from './codex-user.ts';
import { createReviewWorld, generous } from '../review/review-user.ts';
import { processesNaming } from '../../setup/process-table.ts';

const { upstream, world } = await startScriptedCodex();

afterEach(() => nothingLives());
async function nothingLives(): Promise<void> {
  await expect.poll(() => processesNaming(world.root), generous).toEqual([]);
}

/** Without the short-lived one that reports the user's settings. */
const servers = (run: OpenOptions) =>
  processesNaming(run.stateFolder)
    .filter(({ command }) => / app-server .*default_permissions/.test(command))
    .map(({ pid }) => pid);

async function begun(run: OpenOptions): Promise<readonly number[]> {
  codexProvider.warmUp?.(run, run);
  await expect.poll(() => servers(run), generous).toHaveLength(1);
  return servers(run);
}

async function opened(run: OpenOptions) {
  const agent = await codexProvider.open(run);
  const pids = servers(run);
  const { result } = await ask(agent, 'go');
  await agent.close();
  return { pids, result };
}

test('a run uses the server that was started early for it', async () => {
  const run = world.options();
  const early = await begun(run);
  const { pids, result } = await opened(run);
  expect(pids).toEqual(early);
  expect(result).toMatchObject({ kind: 'answered', text: 'unscripted' });
});

test('a run with other launch options starts its own server', async () => {
  const run = world.options();
  const early = await begun(run);
  const { pids, result } = await opened({ ...run, model: 'gpt-6-sol' });
  expect(pids).toHaveLength(1);
  expect(pids).not.toEqual(early);
  expect(result).toMatchObject({ kind: 'answered' });
  expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'gpt-6-sol' });
});

test('a server whose run does not start is ended, and its folder can be removed', async () => {
  const run = world.options();
  await begun(run);
  await codexProvider.coolDown?.(run.stateFolder);
  expect(processesNaming(run.stateFolder)).toEqual([]);
  rmSync(run.stateFolder, { recursive: true });
  const { result } = await opened(run);
  expect(result).toMatchObject({ kind: 'answered' });
});

test('an early server that is canceled immediately leaves no process either', async () => {
  const run = world.options();
  codexProvider.warmUp?.(run, run);
  await codexProvider.coolDown?.(run.stateFolder);
  expect(processesNaming(run.stateFolder)).toEqual([]);
});

test('a changed setting applies immediately, although the last settings are cached', async () => {
  await opened(world.options());
  expect(readdirSync(join(world.root, 'state'))).toContainEqual(expect.stringMatching(/^settings-/));
  const config = join(world.codexHome, 'config.toml');
  const before = readFileSync(config, 'utf8');
  writeFileSync(config, before.replace('gpt-5.5', 'gpt-6-sol'));
  const run = world.options();
  await begun(run);
  await opened(run);
  writeFileSync(config, before);
  expect(upstream.requests.at(-1)?.body).toMatchObject({ model: 'gpt-6-sol' });
});

test.each([
  ['cannot be read', ['missing.diff'], 2],
  ['is empty', ['empty.diff'], 2],
  ['holds only what is skipped', ['skipped.diff'], 0],
])('of a review whose change %s nothing is left', async (_what, args, code) => {
  const review = await createReviewWorld();
  const folder = review.folder();
  folder.write('empty.diff', '');
  folder.write('skipped.diff', lockFileDiff);
  expect(await folder.run('review', ...args)).toMatchObject({ code });
  await review.nothingLeft();
  const state = join(review.world.home, '.local/state/collab');
  const left = existsSync(state) ? readdirSync(state) : [];
  expect(left.filter((name) => /^\d{8}-/.test(name))).toEqual([]);
  expect(review.upstream.requests).toEqual([]);
  await review.close();
});

const lockFileDiff = `diff --git a/package-lock.json b/package-lock.json
--- a/package-lock.json
+++ b/package-lock.json
@@ -1 +1 @@
-{}
+{ "version": 1 }
`;
