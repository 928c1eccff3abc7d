import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../test/fixtures/scratch-repository.ts';
import type { Guest } from '../access/speaker.ts';
import { systemClock as clock } from '../system/clock.ts';
import { continueRun } from './continue-run.ts';
import { readResult } from './folder/result-file.ts';
import { smallDiff } from './rehearsed-review.test-helper.ts';
import { startRequested, withReview } from './start.ts';
import type { StartPlace } from './start/start-place.ts';
import type { StartRequest } from './start/start-request.ts';

const guest: Guest = {
  kind: 'guest',
  tenant: 'acme',
  grants: [],
  providers: ['static_review'],
  isServerOpen: false,
};

function placeIn(cwd: string, given: Partial<StartPlace> = {}): StartPlace {
  const env = { PATH: process.env['PATH'], HOME: scratchFolder(), XDG_STATE_HOME: scratchFolder() };
  const signal = new AbortController().signal;
  return { home: join(cwd, '.collab'), cwd, env, clock, signal, ...given };
}

const sent = { kind: 'stdin', text: smallDiff } as const;
const review = { kind: 'review', changes: [sent], advisor: 'static_review' } as const;

test.each<[string, StartRequest, string]>([
  ['a path for a report', { ...review, reports: [{ format: 'json', file: 'x' }] }, '--report'],
  ['the text of a pull request in a file', { ...review, pr_text: '/etc/passwd' }, '--pr-text /etc/passwd'],
  ['the text of a pull request in standard input', { ...review, pr_text: '-' }, '--pr-text -'],
  ['evidence in a file', { ...review, evidence: ['/etc/passwd'] }, '--evidence'],
  ['a baseline', { ...review, baseline: 'x' }, '--baseline x'],
  ['an agent of its own', { ...review, advisor: 'openai:x' }, '--advisor openai:x'],
  ['a range', { ...review, changes: [{ kind: 'range', range: 'a..b' }] }, 'a..b'],
  ['the working tree', { ...review, changes: [] }, 'the working tree'],
  ['a file', { ...review, changes: [{ kind: 'argument', words: '/etc/passwd' }] }, '/etc/passwd'],
  ['a range as an argument', { ...review, changes: [{ kind: 'argument', words: 'a..b' }] }, 'a..b'],
  ['a pull request', { ...review, changes: [{ kind: 'argument', words: 'pr:7' }] }, 'pr:7'],
  ['a branch', { ...review, changes: [{ kind: 'argument', words: 'branch:x' }] }, 'branch:x'],
  ['a bare word', { ...review, changes: [{ kind: 'argument', words: '7' }] }, '7'],
  ['the second of two changes', { ...review, changes: [sent, { kind: 'base', ref: 'x' }] }, '--base x'],
  ['a run', { kind: 'run', task: 'x' }, '/run'],
  ['a consult', { kind: 'consult', phase: 'design', brief: 'x' }, '/consult'],
])('a guest is refused %s before anything is read or written', async (_title, request, what) => {
  const cwd = scratchFolder();
  const place = placeIn(cwd, { speaker: guest, repository: 'shop', readInput: never });
  await expect(startRequested(request, place)).rejects.toMatchObject({
    code: 'forbidden',
    message: `${what} is not for the tenant acme`,
  });
  expect(existsSync(place.home)).toBe(false);
});

test('a guest that names no lead gets none without a grant, and is not refused for the owner’s defaults', async () => {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'own.yaml'), 'budget_calls: 3\nreports: [{ format: json, file: out.json }]\n');
  const defaults = { config: join(cwd, 'own.yaml'), lead: 'claude_code', language: 'ja', budget_calls: 9 };
  const { input } = await startRequested(review, placeIn(cwd, { speaker: guest, defaults }));
  expect(input).toMatchObject({ lead: null, reports: [], settings: { language: 'ja', budget_calls: 9 } });
  const more = { ...review, budget_calls: 4 };
  await expect(startRequested(more, placeIn(cwd, { speaker: guest, defaults }))).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('--budget-calls'),
  });
});

test.each<[string, StartRequest, string]>([
  ['two changes', { ...review, changes: [sent, { kind: 'staged' }] }, 'the command names two changes'],
  ['a person and a lead', { ...review, ask: true, lead: 'caller' }, '--ask and --lead both choose'],
  ['a task in two places', { kind: 'run', task: 'x', task_file: 'y' }, 'the command has two tasks'],
  ['a brief in two places', { kind: 'consult', phase: 'design', brief: 'x', file: 'y' }, 'given twice'],
  ['a brief of half a megabyte', { kind: 'consult', phase: 'design', brief: 'x'.repeat(524_289) }, '512 KiB'],
])('whoever speaks, %s cannot be asked for', async (_title, request, message) => {
  const place = placeIn(scratchFolder());
  await expect(startRequested(request, place)).rejects.toMatchObject({
    message: expect.stringContaining(message),
  });
  expect(existsSync(place.home)).toBe(false);
});

test('a lead in a folder of the project runs only if the request names it', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'ai_client/echo'), { recursive: true });
  const named = { kind: 'run', task: 'x', lead: 'echo', advisor: 'static_review' } as const;
  // The folder is empty: it is loaded, and refused because it is incomplete.
  await expect(startRequested(named, placeIn(cwd))).rejects.toMatchObject({ code: 'options' });
  await expect(startRequested({ ...named, lead: 'ecoh' }, placeIn(cwd))).rejects.toMatchObject({
    code: 'usage',
  });
});

test('no grant lets a guest run the code of a folder', async () => {
  const cwd = scratchFolder();
  mkdirSync(join(cwd, 'ai_client/echo'), { recursive: true });
  const speaker = { ...guest, grants: ['advisor:echo', 'lead:echo'] };
  const place = placeIn(cwd, { speaker, repository: 'shop' });
  for (const agent of [{ advisor: 'echo' }, { lead: 'echo' }]) {
    await expect(startRequested({ ...review, ...agent }, place)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'the provider echo is not for the tenant acme',
    });
  }
});

test('the text that "-" names is read once, and is empty without standard input', async () => {
  const asked: number[] = [];
  const readInput = async ({ mostBytes }: { readonly mostBytes: number }) => {
    asked.push(mostBytes);
    return Buffer.from(smallDiff);
  };
  const request = { ...review, changes: [{ kind: 'argument', words: '-' }] } as const;
  const { input } = await startRequested(request, placeIn(scratchFolder(), { readInput }));
  expect([input.kind === 'review' && input.change.kind, asked.length]).toEqual(['stdin', 1]);
  await expect(startRequested(request, placeIn(scratchFolder()))).rejects.toMatchObject({
    code: 'empty_input',
  });
});

test('a run that is driven by its starter reads neither its input nor its change again', async () => {
  const repository = scratchRepository();
  repository.write('a.txt', 'one\n');
  repository.commit('first');
  repository.write('a.txt', 'two\n');
  const place = placeIn(repository.root);
  const started = await startRequested({ kind: 'review', changes: [], advisor: 'static_review' }, place);
  const { path: runFolder, runId } = started;
  const change = await started.change();
  expect(await started.change()).toBe(change);
  // The current files on the disk would be refused, or reviewed as another change.
  const file = join(runFolder, 'input.json');
  const kept = readFileSync(file, 'utf8');
  rmSync(file);
  rmSync(join(repository.root, 'a.txt'));
  const departure = await continueRun({ ...place, runFolder, runId, opened: started });
  expect(departure).toMatchObject({
    kind: 'settled',
    result: { coverage: { files: [{ path: 'a.txt', status: 'scanned' }] } },
  });
  // Another process that opens the run reads the same input, to the digest in the journal's first step.
  expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(started.input)));
});

test('the result is passed on once it is on the disk, before anything is removed', async () => {
  const place = placeIn(scratchRepository().root);
  writeFileSync(join(place.cwd, 'a.txt'), 'one\n');
  const started = await startRequested({ kind: 'review', changes: [], advisor: 'static_review' }, place);
  const { path: runFolder, runId } = started;
  const seen: unknown[] = [];
  const look = () => readdirSync(join(place.env['XDG_STATE_HOME'] ?? '', 'collab'));
  const departure = await continueRun({
    ...place,
    runFolder,
    runId,
    opened: started,
    onResult: (result) => void seen.push(result, readResult(runFolder), look()),
  });
  const { result } = departure.kind === 'settled' ? departure : { result: null };
  expect([...seen, look()]).toEqual([result, result, [runId], []]);
});

test('untracked files that may hold secrets are named before the run, unless git ignores them', async () => {
  const repository = scratchRepository();
  repository.write('.gitignore', '.npmrc\n');
  repository.commit('first');
  for (const name of ['.npmrc', 'a.txt']) repository.write(name, 'x\n');
  const notesOf = async (change: 'working_tree' | 'staged') => {
    const request = { kind: 'review', changes: [{ kind: change }], advisor: 'static_review' } as const;
    return (await startRequested(request, placeIn(repository.root))).input.notes;
  };
  expect(await notesOf('working_tree')).toEqual([]);
  for (const name of ['.env', 'keys/id_rsa', 'a\n.pem']) repository.write(name, 'x\n');
  expect(await notesOf('working_tree')).toEqual([
    'untracked files that may hold secrets are part of the change: .env, a␊.pem, keys/id_rsa (ignore them to leave them out)',
  ]);
  repository.git('add', 'a.txt', '.env');
  expect(await notesOf('staged')).toEqual([]);
});

test('no git command runs twice between request and result, and the change is made once', async () => {
  const repository = scratchRepository();
  repository.write('a.txt', 'one\n');
  repository.commit('first');
  repository.write('a.txt', 'two\n');
  const folder = scratchFolder();
  const log = join(folder, 'log');
  const [real] = execFileSync('which', ['git'], { encoding: 'utf8' }).split('\n');
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >>'${log}'\nexec '${real}' "$@"\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  const place = placeIn(repository.root);
  const env = { ...place.env, PATH: `${folder}:${place.env['PATH']}` };
  const request = { kind: 'review', changes: [], advisor: 'static_review' } as const;
  const started = await startRequested(request, { ...place, env });
  const { path: runFolder, runId } = started;
  await continueRun({ ...place, env, runFolder, runId, opened: started });
  const commands = readFileSync(log, 'utf8').trim().split('\n');
  expect(commands.filter((command, index) => commands.indexOf(command) < index)).toEqual([]);
  expect(commands.filter((command) => command.includes('diff-tree '))).toHaveLength(1);
});

function never(): never {
  throw new Error('read before it was allowed');
}

test('a start that is refused by a setting leaves nothing of the advisor that was started early', async () => {
  const { root } = scratchRepository();
  writeFileSync(join(root, 'collab.config.yaml'), 'advisor: codex\n');
  const place = placeIn(root);
  const states = join(place.env['XDG_STATE_HOME'] ?? '', 'collab');
  const request = { kind: 'review', changes: [] } as const;
  const started = withReview(request, place, async () => expect.unreachable(), { drivesHere: true });
  await expect(started).rejects.toMatchObject({ code: 'config' });
  expect(readdirSync(states)).toEqual([]);
});
