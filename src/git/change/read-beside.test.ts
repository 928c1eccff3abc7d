import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { resolveChange } from './resolve-change.ts';

const beside = ['AGENTS.md', 'CLAUDE.md'];

test('files beside the changed ones and above are read from the old side alone, and no link is followed', async () => {
  const { root, env, write, commit } = scratchRepository();
  write('AGENTS.md', 'top\n');
  write('secret.txt', 'secret\n');
  symlinkSync('secret.txt', join(root, 'CLAUDE.md'));
  write('a/b/c.txt', 'one\n');
  write('a/b/AGENTS.md', 'inner\n');
  write('a/CLAUDE.md/file', 'a folder\n');
  write('d/AGENTS.md', 'elsewhere\n');
  write('e/AGENTS.md', Buffer.from([0xff, 0xfe, 0]));
  write('e/f.txt', 'one\n');
  commit('base');
  write('AGENTS.md', 'changed\n');
  write('a/b/c.txt', 'two\n');
  write('a/AGENTS.md', 'new\n');
  write('e/f.txt', 'two\n');
  const { beside: found } = await resolveChange({ kind: 'working_tree' }, { cwd: root, env, beside });
  expect(found).toEqual([
    { path: 'AGENTS.md', text: 'top\n' },
    { path: 'CLAUDE.md', text: null },
    { path: 'e/AGENTS.md', text: null },
    { path: 'a/b/AGENTS.md', text: 'inner\n' },
  ]);
});

test('a repository without commits has no old side', async () => {
  const { root, env, write } = scratchRepository();
  write('AGENTS.md', 'new\n');
  const change = await resolveChange({ kind: 'working_tree' }, { cwd: root, env, beside });
  expect(change.beside).toEqual([]);
});

test('names in a repository of SHA-256 are read, too', async () => {
  const { root, env, write, commit } = scratchRepository(undefined, '--object-format=sha256');
  write('a/AGENTS.md', 'top\n');
  write('a/b', 'one\n');
  commit('base');
  write('a/b', 'two\n');
  const change = await resolveChange({ kind: 'working_tree' }, { cwd: root, env, beside });
  expect(change.beside).toEqual([{ path: 'a/AGENTS.md', text: 'top\n' }]);
});
