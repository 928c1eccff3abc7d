import { expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../../system/clock.ts';
import { readStandingFiles, type StandingFlags } from './standing-files.ts';

const docs = { include: [], exclude: ['docs'] };

/** `main` excludes the documentation; the checked-out branch tries to exclude everything. */
function repositoryWithTopic() {
  const { write, commit, git, root, env } = scratchRepository();
  write('collab.config.yaml', 'exclude: [docs]\n');
  commit('base');
  git('checkout', '--quiet', '-b', 'topic');
  write('collab.config.yaml', 'exclude: ["**"]\n');
  commit('topic');
  return { cwd: root, env, signal: new AbortController().signal, clock: systemClock };
}

test.each<[string, StandingFlags, string | undefined, unknown]>([
  ['what a change adds to exclude does not count', {}, undefined, docs],
  ['with CI set it does not either', {}, '1', docs],
  ['a file that the user names is the user’s own', { config: 'collab.config.yaml' }, undefined, null],
])('%s', async (_title, flags, ci, expected) => {
  const session = repositoryWithTopic();
  const env = { ...session.env, ...(ci === undefined ? {} : { CI: ci }) };
  const { ofRepository, notes } = await readStandingFiles(
    { ...session, env },
    { flags, change: { kind: 'base', ref: 'main' }, reviews: true },
  );
  expect(ofRepository).toEqual(expected);
  expect(notes.some((note) => note.includes('as they are at the base'))).toBe(
    ci === undefined && expected !== null,
  );
});
