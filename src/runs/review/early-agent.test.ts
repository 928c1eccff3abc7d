import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginOrGiveUp, createEarlyRun, driveEarly } from './early-agent.ts';
import { reviewOptions } from '../review-options.test-helper.ts';
import type { ReviewOptions } from './prepare.ts';
import { takeInput } from './prepare-early.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'collab-early-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function options(advisor = 'auto'): ReviewOptions {
  return reviewOptions({
    cwd: home,
    env: { HOME: home, PATH: '/usr/bin:/bin', XDG_STATE_HOME: join(home, 'state') },
    change: { kind: 'file', path: join(home, 'missing.diff') },
    settings: { advisor },
  });
}

const stateFolders = () => {
  const base = join(home, 'state', 'collab');
  return existsSync(base) ? readdirSync(base) : [];
};

test('the folder is created when the advisor is started, under the run’s id, and kept for another choice', async () => {
  const early = createEarlyRun(options());
  expect(stateFolders()).toEqual([]);
  await early.warmUp(options());
  await early.warmUp(options('codex:gpt-5.5'));
  expect(stateFolders()).toEqual([early.runId]);
  await early.giveUp();
  expect(stateFolders()).toEqual([]);
});

test('a change that cannot be read leaves no folder', async () => {
  const early = createEarlyRun(options());
  await expect(takeInput(options(), { early })).rejects.toThrow('missing.diff');
  expect(stateFolders()).toEqual([]);
});

test('an advisor without its own program needs none', async () => {
  const early = createEarlyRun(options());
  await early.warmUp(options('static_review'));
  expect(stateFolders()).toEqual([]);
});

test('a run that starts under its id keeps its folder, also after it was driven', async () => {
  const early = createEarlyRun(options());
  await early.warmUp(options());
  await beginOrGiveUp(early, async () => ({ runId: early.runId, path: home }));
  await driveEarly(early, async () => 'driven');
  expect(stateFolders()).toEqual([early.runId]);
});

test('a run that does not start, or has another id, leaves no folder', async () => {
  const failed = createEarlyRun(options());
  await failed.warmUp(options());
  const begun = beginOrGiveUp(failed, () => Promise.reject(new Error('disk full')));
  await expect(begun).rejects.toThrow('disk full');
  expect(stateFolders()).toEqual([]);

  const taken = createEarlyRun(options());
  await taken.warmUp(options());
  const found = { runId: 'another', path: home };
  expect(await beginOrGiveUp(taken, async () => found)).toBe(found);
  expect(stateFolders()).toEqual([]);
});
