import { readdirSync, rmSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { scratchFolder, twoBranches } from '../../../test/fixtures/scratch-repository.ts';
import { createSharedView } from '../repository/shared-view.ts';
import { beginStates } from './early-states.ts';
import { resolveChange } from './resolve-change.ts';

function begin(cwd: string, env: Readonly<Record<string, string>>) {
  const view = createSharedView();
  const options = { cwd, env, view, signal: new AbortController().signal };
  return { view, options, states: beginStates({ kind: 'working_tree' }, options) };
}

test('the states are those of the first look, however late and often they are asked for', async () => {
  const { repository } = twoBranches();
  repository.write('a.txt', 'one\nTWO\nthree\n');
  const { view, options, states } = begin(repository.root, repository.env);
  await states?.compare(() => undefined);
  repository.write('a.txt', 'one\nTWO\nlater\n');
  const roots: string[] = [];
  const [first, second] = [
    await resolveChange({ kind: 'working_tree' }, { ...options, states }),
    await states?.compare((tree) => void roots.push(tree)),
  ];
  await view.close();
  expect(first.diffText).toContain('+three');
  expect(second?.to).toBe(first.tree);
  expect(roots).toEqual([second?.from]);
});

test('a failure reaches those who ask for the states, and no one else', async () => {
  const { repository } = twoBranches();
  rmSync(`${repository.root}/.git/objects`, { recursive: true });
  const { view, states } = begin(repository.root, repository.env);
  await expect(states?.compare(() => undefined)).rejects.toMatchObject({ code: 'input' });
  await view.close();
  const elsewhere = begin(scratchFolder(), repository.env);
  await elsewhere.view.close();
});

test('a view that is closed ends the reading first, and leaves nothing behind', async () => {
  const { repository } = twoBranches();
  const temporary = scratchFolder();
  vi.stubEnv('TMPDIR', temporary);
  const { view, states } = begin(repository.root, repository.env);
  await view.close();
  await expect(states?.compare(() => undefined)).rejects.toThrow('was stopped');
  expect(readdirSync(temporary)).toEqual([]);
});

test('a diff from elsewhere has no states in a repository', () => {
  const view = createSharedView();
  const options = { cwd: scratchFolder(), env: {}, view, signal: new AbortController().signal };
  expect(beginStates({ kind: 'stdin', text: new Uint8Array() }, options)).toBeNull();
});
