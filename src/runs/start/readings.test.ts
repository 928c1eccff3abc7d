import { afterAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository, shared } from '../../../test/fixtures/scratch-repository.ts';
import { createSharedView } from '../../git/repository/shared-view.ts';
import { changeOfBranch, chooseReading } from './readings.ts';

/** `topic` is checked out, one commit after `main`; `same` has no commit of its own, and `there` is only at `origin`. */
const world = shared(() => {
  const repository = scratchRepository();
  repository.write('a.txt', 'one\n');
  const base = repository.commit('base');
  for (const tag of ['v1', 'v-beef', 'beef-v']) repository.git('tag', tag);
  repository.git('branch', 'same');
  repository.git('checkout', '--quiet', '-b', 'topic');
  repository.write('a.txt', 'two\n');
  const head = repository.commit('topic');
  repository.git('update-ref', 'refs/remotes/origin/there', head);
  repository.git('remote', 'add', 'origin', 'https://github.com/shop/till.git');
  const outside = scratchFolder();
  return { repository, base, head, outside };
});

/** One git process answers all tests. */
const view = createSharedView();
afterAll(() => view.close());

function place(cwd = world().repository.root) {
  return { cwd, env: world().repository.env, signal: new AbortController().signal, view };
}

const read = (words: string) => chooseReading(words, null, place());

describe('a bare word', () => {
  test('that is a branch with commits of its own names these', async () => {
    expect(await read('topic')).toEqual({ kind: 'range', range: 'main...topic' });
  });

  test('that is a branch at origin alone names its commits there', async () => {
    expect(await read('there')).toEqual({ kind: 'range', range: 'main...origin/there' });
  });

  test('that is the main branch, or one without commits of its own, names what was made here since', async () => {
    expect(await read('main')).toEqual({ kind: 'base', ref: 'main' });
    expect(await read('same')).toEqual({ kind: 'base', ref: 'same' });
  });

  test('that is the id of a commit names this commit alone', async () => {
    const { base, head } = world();
    expect(await read(base)).toEqual({ kind: 'commit', sha: base });
    expect(await read(head.slice(0, 7))).toEqual({ kind: 'commit', sha: head.slice(0, 7) });
    expect(await read('HEAD')).toEqual({ kind: 'commit', sha: 'HEAD' });
  });

  test.each(['v1', 'v-beef', 'beef-v'])(
    'that is a tag may mean its commit or the ones since: %s',
    async (tag) => {
      expect(await refusalOf(read(tag))).toEqual({
        code: 'usage',
        message: `"${tag}" has 2 meanings`,
        hint: `write which: that commit alone: commit:${tag}; or the commits of this branch since ${tag}: --base ${tag}`,
      });
    },
  );

  test('that is the name of a file and of a branch has two meanings', async () => {
    const file = { kind: 'file', path: '/x/topic' } as const;
    expect(await chooseReading('nothing', file, place())).toEqual(file);
    expect(await refusalOf(chooseReading('topic', file, place()))).toMatchObject({
      message: '"topic" has 2 meanings',
      hint: 'write which: the diff file ./topic; or the commits of topic since main: branch:topic',
    });
  });

  test('that is a number is a pull request of the repository at the remote', async () => {
    const name = { forge: 'github', server: 'https://github.com', repository: 'shop/till', number: 7 };
    expect(await read('7')).toEqual({ kind: 'pull_request', name });
    expect(await chooseReading('7', null, place(world().outside))).toBeNull();
  });

  test('that git takes for a flag, or that names nothing, has no meaning', async () => {
    expect(await read('-h')).toBeNull();
    expect(await read('nothing')).toBeNull();
    expect(await chooseReading('topic', null, place(world().outside))).toBeNull();
  });
});

describe('branch:', () => {
  test('names the commits of a branch since it left the main one', async () => {
    expect(await changeOfBranch('topic', place())).toEqual({ kind: 'range', range: 'main...topic' });
    expect(await changeOfBranch('there', place())).toEqual({ kind: 'range', range: 'main...origin/there' });
  });

  test('is refused for the main branch, with the way to see what was made since', async () => {
    expect(await refusalOf(changeOfBranch('main', place()))).toEqual({
      code: 'range',
      message: 'main is the branch that others are compared with',
      hint: 'review what you have changed since: collab review --base main',
    });
  });

  test('compares with the main branch at origin, of which the one here is the same', async () => {
    const { repository, base } = world();
    const ref = 'refs/remotes/origin/main';
    repository.git('update-ref', ref, base);
    try {
      expect(await changeOfBranch('topic', place())).toEqual({ kind: 'range', range: 'origin/main...topic' });
      for (const name of ['main', 'origin/main'])
        expect(await refusalOf(changeOfBranch(name, place()))).toMatchObject({ code: 'range' });
    } finally {
      repository.git('update-ref', '-d', ref);
    }
  });

  test('is refused without a main branch, and outside of a repository', async () => {
    const { repository, outside } = world();
    repository.git('branch', '--move', 'main', 'trunk');
    try {
      expect(await refusalOf(changeOfBranch('topic', place()))).toMatchObject({
        code: 'range',
        message: 'there is no main branch to compare topic with',
        hint: 'name it: collab review <branch>...topic',
      });
    } finally {
      repository.git('branch', '--move', 'trunk', 'main');
    }
    expect(await refusalOf(changeOfBranch('topic', place(outside)))).toMatchObject({
      code: 'range',
      message: `${outside} is not in a git repository`,
    });
  });
});
