import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository, shared } from '../../../test/fixtures/scratch-repository.ts';
import { startGithubWorld } from '../../../test/forge/github-world.ts';
import { createSharedView } from '../../git/repository/shared-view.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { smallDiff } from '../rehearsed-review.test-helper.ts';
import { settleChange } from './change-request.ts';
import type { StartPlace } from './start-place.ts';

/** Two commits, and one that has nothing in common with them. */
const world = shared(() => {
  const repository = scratchRepository();
  repository.write('a.txt', 'one\n');
  const base = repository.commit('base');
  repository.write('a.txt', 'two\n');
  const head = repository.commit('head');
  for (const branch of ['topic', 'feature/topic']) repository.git('branch', branch);
  repository.git('checkout', '--quiet', '--orphan', 'other');
  const orphan = repository.commit('orphan');
  repository.git('checkout', '--quiet', '-B', 'main', base);
  return { repository, base, head, orphan };
});

/** One git process answers all tests. */
const view = createSharedView();
afterAll(() => view.close());

function placeIn(cwd: string, more: Partial<StartPlace> = {}): StartPlace {
  const { env } = world().repository;
  return { home: join(cwd, '.collab'), cwd, env, clock, signal: new AbortController().signal, view, ...more };
}

const settle = (words: string, place = placeIn(world().repository.root)) =>
  settleChange({ changes: [{ kind: 'argument', words }] }, place);
const changeOf = async (...call: Parameters<typeof settle>) => (await settle(...call)).change;

describe('words', () => {
  test('without a change mean the working tree', async () => {
    const { change } = await settleChange({ changes: [] }, placeIn(world().repository.root));
    expect(change).toEqual({ kind: 'working_tree' });
  });

  test('with a prefix mean one kind of change', async () => {
    expect(await changeOf('branch:topic')).toEqual({ kind: 'range', range: 'main...topic' });
    expect(await changeOf('commit:abc')).toEqual({ kind: 'commit', sha: 'abc' });
    expect(await changeOf('topic')).toEqual({ kind: 'range', range: 'main...topic' });
  });

  test('with dots are a range, unless there is such a file', async () => {
    const cwd = scratchFolder();
    expect(await changeOf('a..b', placeIn(cwd))).toEqual({ kind: 'range', range: 'a..b' });
    writeFileSync(join(cwd, 'a..b'), smallDiff);
    expect(await changeOf('a..b', placeIn(cwd))).toMatchObject({
      kind: 'file',
      text: Buffer.from(smallDiff),
    });
  });

  test.each(['change', 'change.diff', 'change.patch', 'change.txt', 'my change', './topic', 'd/topic'])(
    'that name a file (%s) mean its diff',
    async (words) => {
      const cwd = scratchFolder();
      mkdirSync(join(cwd, 'd'));
      writeFileSync(join(cwd, words), smallDiff);
      const path = join(cwd, words);
      expect(await changeOf(words, placeIn(cwd))).toEqual({
        kind: 'file',
        path,
        text: Buffer.from(smallDiff),
      });
    },
  );

  test('that name a branch and a file have two meanings, but a path has one', async () => {
    const { root } = world().repository;
    mkdirSync(join(root, 'feature'));
    onTestFinished(() => void world().repository.git('clean', '--quiet', '-fd'));
    for (const words of ['topic', 'feature/topic']) {
      writeFileSync(join(root, words), smallDiff);
      expect(await refusalOf(settle(words))).toMatchObject({ message: `"${words}" has 2 meanings` });
    }
    expect(await changeOf('./topic')).toMatchObject({ kind: 'file', path: join(root, 'topic') });
  });

  test('that name nothing are a missing file', async () => {
    expect(await refusalOf(settle('nothing'))).toMatchObject({ code: 'input' });
  });
});

describe('a pull request', () => {
  test('whose commits are here is their range, with its text', async () => {
    const { base, head } = world();
    const { inRepository, url } = await host({ base, head });
    const settled = {
      change: {
        kind: 'range',
        range: `${base}...${head}`,
        title: `pull request shop/till#7 at ${head.slice(0, 12)}`,
      },
      pullRequest: 'Round once\n\nAfter tax.',
      notes: [expect.stringMatching(/^the pull request is read from GitHub/)],
    };
    for (const words of ['pr:7', '#7', '7', url, `pr:${url}`])
      expect(await settle(words, inRepository)).toEqual(settled);
  });

  test('whose commits are not here, or have no common one, is the diff of its host', async () => {
    const { base, orphan } = world();
    const away = 'ab'.repeat(20);
    for (const ends of [
      { base, head: away },
      { base: away, head: base },
      { base, head: orphan },
    ]) {
      const { inRepository } = await host(ends);
      const title = `pull request shop/till#7 at ${ends.head.slice(0, 12)}`;
      expect(await changeOf('pr:7', inRepository)).toEqual({ kind: 'stdin', text: smallDiff, title });
    }
    const { base: here, head } = world();
    const { env } = await host({ base: here, head });
    expect(await changeOf('pr:7', placeIn(scratchFolder(), { env }))).toMatchObject({ kind: 'stdin' });
  });

  test('with a very long text keeps its beginning', async () => {
    const { base, head } = world();
    const { inRepository } = await host({ base, head, body: 'x'.repeat(300_000) });
    expect((await settle('pr:7', inRepository)).pullRequest).toHaveLength(262_144);
  });

  test('of a repository that neither job nor remote names is refused', async () => {
    const cwd = scratchFolder();
    expect(await refusalOf(settle('pr:7', placeIn(cwd)))).toEqual({
      code: 'usage',
      message: `no remote of ${cwd} is at GitHub or GitLab`,
      hint: 'name the pull request by the address of its page: collab review https://…/pull/123',
    });
    const { env } = await host(world());
    expect(await refusalOf(settle('mr:7', placeIn(cwd, { env })))).toMatchObject({
      message: `no remote of ${cwd} is at GitLab`,
    });
  });
});

async function host(pull: { readonly base: string; readonly head: string; readonly body?: string }) {
  const github = await startGithubWorld({
    pulls: [{ number: 7, title: 'Round once', body: 'After tax.', diff: smallDiff, ...pull }],
  });
  onTestFinished(() => github.close());
  const env = { ...world().repository.env, ...github.env, GITHUB_REPOSITORY: 'shop/till' };
  const inRepository = placeIn(world().repository.root, { env });
  return { url: `${github.url}/shop/till/pull/7`, env, inRepository };
}
