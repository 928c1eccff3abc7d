import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../../system/clock.ts';
import { readStandingFiles, type StandingFlags } from './standing-files.ts';

function suppressing(title: string): string {
  return `suppressions:\n  - { path: a.ts, title: ${title}, reason: known }\n`;
}

/** On `main` one finding is suppressed; the checked-out branch tries to suppress another one. */
function repositoryWithTopic({ onMain = true } = {}) {
  const repository = scratchRepository();
  const { write, commit, git } = repository;
  write('collab.config.yaml', 'suppressions: known.yaml\n');
  if (onMain) write('known.yaml', suppressing('Old'));
  const base = commit('base').slice(0, 12);
  git('checkout', '--quiet', '-b', 'topic');
  write('known.yaml', suppressing('Mine'));
  commit('topic');
  const read = async (flags: StandingFlags, environment: Readonly<Record<string, string>> = {}) => {
    const session = {
      cwd: repository.root,
      env: { ...repository.env, ...environment },
      signal: new AbortController().signal,
      clock: systemClock,
    };
    const change = { kind: 'base', ref: 'main' } as const;
    const { suppressions, notes } = await readStandingFiles(session, { flags, change, reviews: true });
    return { titles: suppressions?.entries.map(({ title }) => title) ?? null, note: notes.at(-1) };
  };
  return { repository, base, read };
}

test('the file that the configuration or the command line names is read, and the first line says so', async () => {
  const { repository, read } = repositoryWithTopic();
  repository.write('mine.yaml', suppressing('Named'));
  expect(await read({ config: 'collab.config.yaml' })).toEqual({
    titles: ['Mine'],
    note: 'suppressions from known.yaml',
  });
  expect(await read({ suppressions: 'mine.yaml' })).toEqual({
    titles: ['Named'],
    note: 'suppressions from mine.yaml',
  });
});

test('a change does not suppress its own findings, with CI set, with --config-from or without both', async () => {
  const { base, read } = repositoryWithTopic();
  const ofBase = { titles: ['Old'], note: `suppressions from known.yaml of main (${base})` };
  expect(await read({}, { CI: 'true' })).toEqual(ofBase);
  expect(await read({})).toEqual(ofBase);
  expect(await read({ suppressions: 'known.yaml' }, { CI: 'true' })).toEqual(ofBase);
  expect(await read({ config_from: 'main' })).toEqual(ofBase);
});

test('a file that the change adds suppresses nothing yet, with a note', async () => {
  const { base, read } = repositoryWithTopic({ onMain: false });
  for (const environment of [{ CI: 'true' }, {}])
    expect(await read({}, environment)).toEqual({
      titles: null,
      note: `no suppression file in main (${base}): nothing is suppressed`,
    });
});

test('a change’s own configuration names no suppressions and lowers no threshold', async () => {
  const repository = scratchRepository();
  repository.write('a.ts', 'a\n');
  repository.commit('base');
  repository.write('collab.config.yaml', 'suppressions: known.yaml\nfail_on: never\n');
  repository.write('known.yaml', suppressing('Mine'));
  const { signal } = new AbortController();
  const place = { cwd: repository.root, env: repository.env, signal, clock: systemClock };
  for (const change of [{ kind: 'working_tree' }, { kind: 'base', ref: 'main' }] as const) {
    const { suppressions, loaded, notes } = await readStandingFiles(place, {
      flags: {},
      change,
      reviews: true,
    });
    expect([suppressions, loaded.config.fail_on]).toEqual([null, 'critical']);
    expect(notes).toEqual(
      expect.arrayContaining([
        'fail_on of collab.config.yaml counts as it is at the base of the change',
        'suppressions of collab.config.yaml count as they are at the base of the change',
      ]),
    );
    const named = { config: 'collab.config.yaml' };
    const own = await readStandingFiles(place, { flags: named, change, reviews: true });
    expect([own.suppressions?.entries.length, own.loaded.config.fail_on]).toEqual([1, 'never']);
  }
});

test('a missing file is refused', async () => {
  const { read } = repositoryWithTopic();
  expect(await refusalOf(read({ suppressions: 'typo.yaml' }))).toMatchObject({
    code: 'config',
    message: 'the suppression file typo.yaml does not exist',
  });
});
