import { rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { owner, type Speaker } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { dismissalOf, renderDismissal } from '../../review/dismissals/dismissal.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { exampleResult } from '../../review/outcome/result.test-helper.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { dismissServed, listDismissals } from './run-dismissals.ts';

const run = { runId: 'r1', path: '/runs/r1' };
const minor = finding({ id: 'F2', identity: 'ab'.repeat(32), severity: 'minor' });
const whole = exampleResult({ findings: [finding(), minor] });
const none = { dismissals: [], open: [] };

test('a finding can be dismissed where its review was made, and nowhere else', async () => {
  const { root } = scratchRepository();
  const list = (cwd: string) => listDismissals(serverOf(root, { input: { cwd } }), run, owner);
  expect((await list(root)).open).toEqual(['F2']);
  // A submitted run has no folder; this process has one, which may be the served one.
  expect(await listDismissals(serverOf(process.cwd(), { input: { cwd: '' } }), run, owner)).toEqual(none);
  expect(await list(scratchRepository().root)).toEqual(none);
  expect(await listDismissals(serverOf(root, { input: null }), run, owner)).toEqual(none);
});

test('a run that has not ended, or whose result cannot be read, has nothing to dismiss', async () => {
  const { root } = scratchRepository();
  const list = (result: unknown) =>
    listDismissals(serverOf(root, { input: { cwd: root }, result }), run, owner);
  expect(await list({ ...whole, state: 'running' })).toEqual(none);
  expect(await list({ ...whole, schema: 'collab.consult/v1' })).toEqual(none);
  expect(await list(null)).toEqual(none);
  expect(await list(new CollabError('result_file', 'damaged'))).toEqual(none);
  await expect(list(new Error('a bug'))).rejects.toThrow('a bug');
  const running = serverOf(root, { input: { cwd: root }, result: { ...whole, state: 'running' } });
  const wanted = { finding: 'F2', reason: 'as agreed', speaker: owner };
  await expect(dismissServed(running, run, wanted)).rejects.toMatchObject({ status: 409 });
});

test('a dismissal is listed with its secrets masked; a history that cannot be read hides no finding', async () => {
  const repository = scratchRepository();
  const server = serverOf(repository.root, { input: { cwd: repository.root } });
  const at = '2026-11-21T09:30:00.000Z';
  const reason = `see sk-ant-api03-${'a1B2'.repeat(23)}`;
  const line = renderDismissal(dismissalOf({ finding: minor, at, run_id: 'r1', reason }));
  repository.write('.collab/history.jsonl', `damaged\n${line}\n`);
  expect(await listDismissals(server, run, owner)).toEqual({
    dismissals: [{ finding: 'F2', identity: minor.identity, at, reason: expect.stringMatching(/^see \*+$/) }],
    open: [],
  });
  rmSync(join(repository.root, '.collab/history.jsonl'));
  symlinkSync('elsewhere.jsonl', join(repository.root, '.collab/history.jsonl'));
  expect(await listDismissals(server, run, owner)).toEqual({ dismissals: [], open: ['F2'] });
});

test('a guest sees and dismisses only with the grants', async () => {
  const { root } = scratchRepository();
  const server = serverOf(root, { input: { cwd: root } });
  const reader = guest(`repo:${basename(root)}`);
  expect(await listDismissals(server, run, guest('apply'))).toEqual(none);
  expect(await listDismissals(server, run, reader)).toEqual(none);
  for (const speaker of [reader, guest('apply')]) {
    const wanted = { finding: 'F2', reason: 'as agreed', speaker };
    await expect(dismissServed(server, run, wanted)).rejects.toMatchObject({ code: 'forbidden' });
  }
});

function guest(...grants: readonly string[]): Speaker {
  return { kind: 'guest', tenant: 'acme', grants, providers: [], isServerOpen: false };
}

interface Kept {
  readonly input: { readonly cwd: string } | null;
  /** Default: two findings. */
  readonly result?: unknown;
}

function serverOf(cwd: string, { input, result = whole }: Kept) {
  const engine = {
    input: async () => input,
    result: () => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result)),
  };
  return {
    clock: createManualClock(),
    cwd,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that are called
    engine: engine as unknown as Engine,
    env: {},
    stopping: new AbortController().signal,
  };
}
