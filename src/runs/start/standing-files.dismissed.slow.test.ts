import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { dismissalOf, renderDismissal } from '../../review/dismissals/dismissal.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { systemClock } from '../../system/clock.ts';
import { readStandingFiles, type StandingFlags } from './standing-files.ts';

const history = '.collab/history.jsonl';

function lines(claim: 'tests' | 'clarity', count = 3): string {
  return Array.from({ length: count }, (_, index) => {
    const identity = `${claim === 'tests' ? 'a' : 'b'}${index}`.padEnd(64, '0');
    const found = finding({ severity: 'minor', identity, claim, path: 'src/a.ts' });
    const at = `2026-11-2${index}T09:30:05.000Z`;
    return `${renderDismissal(dismissalOf({ finding: found, at, run_id: 'r', reason: 'known' }))}\n`;
  }).join('');
}

/** On `main` one kind is dismissed; the checked-out branch brings another one. */
function begin({ onMain = lines('tests'), onTopic = lines('tests') + lines('clarity') } = {}) {
  const repository = scratchRepository();
  const { write, commit, git, root } = repository;
  write('a.txt', 'one\n');
  if (onMain !== '') write(history, onMain);
  git('add', '-f', '.');
  const base = commit('base').slice(0, 12);
  git('checkout', '--quiet', '-b', 'topic');
  write('a.txt', 'two\n');
  write(history, onTopic);
  git('add', '-f', '.');
  commit('topic');
  const read = async (
    change: ChangeRequest | null = { kind: 'base', ref: 'main' },
    { flags = {}, ci }: { readonly flags?: StandingFlags; readonly ci?: string } = {},
  ) => {
    const env = { ...repository.env, ...(ci === undefined ? {} : { CI: ci }) };
    const session = { cwd: root, env, signal: new AbortController().signal, clock: systemClock };
    const { dismissed, notes } = await readStandingFiles(session, { flags, change, reviews: true });
    return { claims: dismissed.map(({ claim }) => claim), note: notes.at(-1) };
  };
  return { repository, base, read };
}

test('a change teaches its own review nothing: with CI set, with --config-from, with --config or without', async () => {
  const { repository, base, read } = begin();
  const ofBase = {
    claims: ['tests'],
    note: `1 kind of dismissed findings from ${history} of main (${base})`,
  };
  const change = { kind: 'base', ref: 'main' } as const;
  repository.write('mine.yaml', 'language: ja\n');
  expect(await read()).toEqual(ofBase);
  expect(await read(change, { ci: 'true' })).toEqual(ofBase);
  expect(await read(change, { flags: { config_from: 'main' } })).toEqual(ofBase);
  expect(await read(change, { flags: { config: 'mine.yaml' } })).toEqual(ofBase);
});

test('a diff from elsewhere teaches only what its old side and the checkout both have', async () => {
  const { repository, read } = begin();
  const path = join(scratchFolder(), 'the.diff');
  writeFileSync(path, repository.git('diff', 'main', 'topic'));
  expect((await read({ kind: 'file', path })).claims).toEqual(['tests']);
  repository.git('checkout', '--quiet', 'main');
  expect((await read({ kind: 'file', path })).claims).toEqual(['tests']);
  // A diff that pretends to remove dismissals which never were there.
  const removed = lines('clarity').trimEnd().split('\n');
  const head = `diff --git a/${history} b/${history}\n--- a/${history}\n+++ b/${history}\n`;
  const kept = lines('tests').trimEnd().split('\n');
  const hunk = `@@ -1,6 +1,3 @@\n${removed.map((line) => `-${line}\n`).join('')}${kept.map((line) => ` ${line}\n`).join('')}`;
  writeFileSync(path, head + hunk);
  expect((await read({ kind: 'file', path })).claims).toEqual(['tests']);
});

test('without a change, the history of the working tree counts', async () => {
  const { read } = begin();
  expect((await read(null)).claims).toEqual(['tests', 'clarity']);
});

test('two dismissals teach nothing; damaged lines are named and the others count', async () => {
  expect((await begin({ onMain: lines('tests', 2) }).read()).claims).toEqual([]);
  const { base, read } = begin({ onMain: `<<<<<<<\n${lines('tests')}>>>>>>>\n` });
  expect(await read()).toEqual({
    claims: ['tests'],
    note: `2 lines of ${history} of main (${base}) cannot be read`,
  });
});

test('a link and a file that is too large teach nothing, and the first lines say so', async () => {
  const linked = begin();
  const { root, git } = linked.repository;
  rmSync(join(root, history));
  mkdirSync(join(root, 'elsewhere'), { recursive: true });
  writeFileSync(join(root, 'elsewhere/history.jsonl'), lines('tests'));
  symlinkSync('../elsewhere/history.jsonl', join(root, history));
  git('add', '-f', '.');
  linked.repository.commit('link');
  expect(await linked.read({ kind: 'range', range: 'HEAD...HEAD' })).toEqual({
    claims: [],
    note: `${history} is reached through a link: nothing is learned from dismissals`,
  });
  const large = begin({ onMain: lines('tests').padEnd(1024 * 1024 + 1, ' ') });
  expect((await large.read()).note).toMatch(/is larger than 1024 KiB: nothing is learned from dismissals$/);
});

test('a repository without a history has no word about it', async () => {
  expect((await begin({ onMain: '' }).read()).claims).toEqual([]);
});
