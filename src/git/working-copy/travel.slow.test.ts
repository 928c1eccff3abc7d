import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { receiveCopy, takeCopy, unpackCopy, type LaterState } from './travel.ts';
import { openWorkingCopy, type WorkingCopy } from './working-copy.ts';

type User = ReturnType<typeof scratchRepository>;

const runId = 'r1';

interface Place {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function take({ root, env }: Place): Promise<Buffer> {
  return takeCopy({ cwd: root, runId, env });
}

/** A machine that gets a copy with its later states and lets `work` change it; returns the new state. */
async function onAnotherMachine(
  sent: Buffer,
  later: readonly LaterState[],
  work: (copy: WorkingCopy) => Promise<string | null>,
  homeFiles: Readonly<Record<string, string>> = {},
): Promise<LaterState> {
  const home = scratchFolder();
  for (const [name, text] of Object.entries(homeFiles)) writeFileSync(join(home, name), text);
  const [root, runFolder] = [join(home, 'root'), join(home, 'run')];
  const env = { HOME: home, PATH: process.env['PATH'] };
  await unpackCopy(sent, later, { root, runFolder, runId, env });
  const copy = await openWorkingCopy({ cwd: root, folder: join(home, 'work'), runId, runFolder, env });
  const commit = await work(copy);
  const tree = await copy.snapshot();
  const pack = (await copy.pack(commit ?? tree)) ?? Buffer.from('too large');
  rmSync(home, { recursive: true });
  return { tree, commit, pack };
}

function commits(name: string): (copy: WorkingCopy) => Promise<string> {
  return async (copy) => {
    writeFileSync(join(copy.folder, name), `${name}\n`);
    return copy.commit(await copy.snapshot(), `${name} is made`);
  };
}

function writes(name: string): (copy: WorkingCopy) => Promise<null> {
  return async (copy) => {
    writeFileSync(join(copy.folder, name), `${name}\n`);
    return null;
  };
}

function receive(user: Place, sent: Buffer, later: readonly LaterState[]) {
  return receiveCopy(sent, later, {
    cwd: user.root,
    runFolder: join(scratchFolder(), 'run'),
    runId,
    env: user.env,
  });
}

test('a copy travels to three machines, one after the other, and its branch comes back', async () => {
  const user = scratchRepository();
  user.write('.gitattributes', '*.txt text\n');
  user.write('a.txt', 'one\n');
  user.write('old.txt', 'old\n');
  user.commit('first');
  user.write('old.txt', 'gone\n');
  const head = user.commit('second');
  user.write('a.txt', 'dirty\r\n');
  user.write('new.txt', 'new\n');
  user.write('.env', 'TOKEN=1\n');
  const before = user.git('for-each-ref');
  const sent = await take(user);
  expect(user.git('for-each-ref')).toBe(before);
  expect(user.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  const first = await onAnotherMachine(sent, [], async (copy) => {
    expect(readdirSync(copy.folder).toSorted()).toEqual([
      '.git',
      '.gitattributes',
      'a.txt',
      'new.txt',
      'old.txt',
    ]);
    expect(readFileSync(join(copy.folder, 'a.txt'), 'utf8')).toBe('dirty\r\n');
    return commits('b.txt')(copy);
  });
  const second = await onAnotherMachine(sent, [first], writes('c.txt'));
  const third = await onAnotherMachine(sent, [first, second], async (copy) => {
    expect(readFileSync(join(copy.folder, 'c.txt'), 'utf8')).toBe('c.txt\n');
    return commits('d.txt')(copy);
  });
  const { edits, addBranch } = await receive(user, sent, [first, third]);
  expect(edits).toMatchObject({ root: user.root, branch: 'collab/r1', head: { commit: third.commit } });
  expect(user.git('for-each-ref')).toBe(before);
  await addBranch();
  expect(user.git('log', '--format=%s', 'collab/r1').trim().split('\n')).toEqual([
    'd.txt is made',
    'b.txt is made',
    'The working tree as the run found it',
    'second',
    'first',
  ]);
  expect(user.git('merge-base', head, 'collab/r1').trim()).toBe(head);
  expect(user.git('diff', '--name-only', 'collab/r1~2', 'collab/r1').trim().split('\n')).toEqual([
    'b.txt',
    'c.txt',
    'd.txt',
  ]);
  expect(user.git('show', 'collab/r1:a.txt')).toBe('dirty\n');
});

test('line ends and ignored files are those of the user, not of the machine that drives the run', async () => {
  const user = scratchRepository();
  user.git('config', 'core.autocrlf', 'true');
  user.write('a.txt', 'one\r\ntwo\r\n');
  user.commit('first');
  user.write('.git/info/exclude', 'target/\n');
  const sent = await take(user);
  const homeFiles = {
    '.gitconfig': '[core]\n\texcludesfile = ~/ignored\n\tautocrlf = false\n',
    ignored: 'new.txt\n',
  };
  const made = await onAnotherMachine(
    sent,
    [],
    async (copy) => {
      writeFileSync(join(copy.folder, 'a.txt'), 'one\r\ntwo\r\nthree\r\n');
      writeFileSync(join(copy.folder, 'new.txt'), 'new\r\n');
      mkdirSync(join(copy.folder, 'target'));
      writeFileSync(join(copy.folder, 'target/a.o'), 'object\n');
      return copy.commit(await copy.snapshot(), 'made');
    },
    homeFiles,
  );
  await (await receive(user, sent, [made])).addBranch();
  expect(user.git('diff', '--numstat', 'HEAD', 'collab/r1').trim().split('\n')).toEqual([
    '1\t0\ta.txt',
    '1\t0\tnew.txt',
  ]);
});

test('a state is packed without the objects that the commits before it have', async () => {
  const user = scratchRepository();
  user.write('large.txt', Array.from({ length: 20_000 }, (_, index) => `${index * 7919}\n`).join(''));
  user.commit('first');
  const sent = await take(user);
  const turn = await onAnotherMachine(sent, [], writes('a.txt'));
  const commit = await onAnotherMachine(sent, [turn], commits('b.txt'));
  expect(sent.length).toBeGreaterThan(40_000);
  expect(turn.pack.length).toBeLessThan(1000);
  expect(commit.pack.length).toBeLessThan(2000);
});

test('a turn that made more than a database takes has no pack', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  const state = await onAnotherMachine(await take(user), [], async (copy) => {
    writeFileSync(join(copy.folder, 'noise'), randomBytes(17 * 1024 * 1024));
    return null;
  });
  expect(state.pack).toHaveLength('too large'.length);
});

test('files that pack to more than a database takes are refused', async () => {
  const user = scratchRepository();
  user.write('noise', randomBytes(1024 * 1024 + 1));
  const { root, env } = user;
  const mostBytes = 1024 * 1024;
  expect(await refusalOf(takeCopy({ cwd: root, runId, env, mostBytes }))).toMatchObject({
    code: 'input',
    message: `The files of ${root} pack to more than 1 MB, the most that a run takes along`,
  });
});

test('no file of the user is copied on the way', async () => {
  const user = scratchRepository();
  user.write('noise', randomBytes(1024));
  const log = join(scratchFolder(), 'log');
  const copies = 'top="${PWD%/edits.git*}"; find "${top%/run}" -name noise';
  const PATH = watchedGit(`echo packs >> ${log}; ${copies} >> ${log}`);
  await takeCopy({ cwd: user.root, runId, env: { ...user.env, PATH } });
  expect(readFileSync(log, 'utf8')).toBe('packs\n');
});

test('an object with a harmless defect of an old git travels, and one with another is refused at once', async () => {
  const user = scratchRepository();
  user.write('src/a.txt', 'one\n');
  user.commit('first');
  const [src = '', top = ''] = ['HEAD:src', 'HEAD:'].map((name) => user.git('rev-parse', name).trim());
  const id = Buffer.from(src, 'hex');
  const tree = Buffer.concat([Buffer.from('040000 src\0'), id]);
  commitTo(user, writeObject(user, 'tree', tree), 'Ann <ann@example.org> 1 +051800');
  const sent = await take(user);
  await onAnotherMachine(sent, [], async (copy) => {
    expect(readFileSync(join(copy.folder, 'src/a.txt'), 'utf8')).toBe('one\n');
    return null;
  });
  commitTo(user, top, 'Ann 1 +0000');
  expect(await refusalOf(take(user))).toMatchObject({
    code: 'input',
    message: expect.stringContaining('missingEmail'),
    hint: 'Start the run here: leave out --remote.',
  });
});

test('a folder without git travels as a copy without a branch', async () => {
  const root = scratchFolder();
  writeFileSync(join(root, 'a.txt'), 'one\n');
  const env = { HOME: scratchFolder(), PATH: process.env['PATH'] };
  const sent = await take({ root, env });
  const first = await onAnotherMachine(sent, [], commits('b.txt'));
  const second = await onAnotherMachine(sent, [first], commits('c.txt'));
  const { edits, addBranch } = await receive({ root, env }, sent, [first, second]);
  await addBranch();
  expect(edits).toMatchObject({ root, branch: null, head: { tree: second.tree } });
  expect(readdirSync(root)).toEqual(['a.txt']);
});

test('a run whose last state is its first one adds no branch', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  const sent = await take(user);
  const first = await onAnotherMachine(sent, [], commits('b.txt'));
  const second = await onAnotherMachine(sent, [first], async (copy) => {
    rmSync(join(copy.folder, 'b.txt'));
    return copy.commit(await copy.snapshot(), 'b.txt is removed');
  });
  await (await receive(user, sent, [first, second])).addBranch();
  expect(user.git('branch', '--list', 'collab/*')).toBe('');
});

test('a repository without the commit that the run started from is refused', async () => {
  const other = scratchRepository();
  other.write('x.txt', 'x\n');
  other.commit('another history');
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  const head = user.commit('first');
  const sent = await take(user);
  expect(await refusalOf(receive(other, sent, []))).toMatchObject({
    code: 'input',
    message: `${other.root} does not have the commit ${head}, from which the run started`,
  });
  const plain = { root: scratchFolder(), env: user.env };
  expect(await refusalOf(receive(plain, sent, []))).toMatchObject({ code: 'input' });
});

test('a shallow clone whose first commit the run started from gets the branch', async () => {
  const user = scratchRepository();
  for (const text of ['one\n', 'two\n']) {
    user.write('a.txt', text);
    user.commit(text.trim());
  }
  const sent = await take(user);
  const made = await onAnotherMachine(sent, [], commits('b.txt'));
  const clone = join(scratchFolder(), 'clone');
  user.git('clone', '-q', '--depth', '1', `file://${user.root}`, clone);
  const { addBranch } = await receive({ root: clone, env: user.env }, sent, [made]);
  await addBranch();
  expect(user.git('-C', clone, 'show', 'collab/r1:b.txt')).toBe('b.txt\n');
});

test('a branch with commits of the user stays, and one with others is in the way', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  const sent = await take(user);
  const made = await onAnotherMachine(sent, [], commits('b.txt'));
  await (await receive(user, sent, [made])).addBranch();
  user.git('checkout', '-q', 'collab/r1');
  user.write('mine.txt', 'mine\n');
  const mine = user.commit('mine');
  await (await receive(user, sent, [made])).addBranch();
  expect(user.git('rev-parse', 'collab/r1').trim()).toBe(mine);
  user.git('branch', '-f', 'other', 'HEAD~2');
  user.git('checkout', '-q', 'other');
  user.git('branch', '-f', 'collab/r1', 'other');
  const { addBranch } = await receive(user, sent, [made]);
  expect(await refusalOf(addBranch())).toMatchObject({
    message: 'The branch collab/r1 has other commits than the run',
  });
});

test('a damaged copy is refused, and so is one with a path into .git', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  const sent = await take(user);
  const at = () => ({
    root: join(scratchFolder(), 'root'),
    runFolder: join(scratchFolder(), 'run'),
    runId,
    env: user.env,
  });
  expect(await refusalOf(unpackCopy(sent.subarray(3), [], at()))).toMatchObject({ code: 'input' });
  const made = await onAnotherMachine(sent, [], commits('b.txt'));
  const damaged = Buffer.from(made.pack);
  damaged.writeUInt8((damaged.at(-30) ?? 0) ^ 1, damaged.length - 30);
  const later = [{ ...made, pack: damaged }];
  expect(await refusalOf(unpackCopy(sent, later, at()))).toMatchObject({ code: 'input' });
  expect(await refusalOf(receive(user, sent, later))).toMatchObject({ code: 'input' });
  const evil = hostileState(user, made.commit ?? '');
  const { addBranch } = await receive(user, sent, [made, evil]);
  expect(await refusalOf(addBranch())).toMatchObject({
    code: 'input',
    message: expect.stringContaining('.git'),
  });
  expect(user.git('branch', '--list', 'collab/*')).toBe('');
});

/** A commit whose tree has the file `.git/config`. */
function hostileState({ env }: Pick<User, 'env'>, parent: string): LaterState {
  const cwd = scratchFolder();
  const git = (input: string, ...args: readonly string[]): Buffer =>
    execFileSync('git', [...args], { cwd, env, input });
  const written = (input: string, ...args: readonly string[]) =>
    git(input, ...args)
      .toString()
      .trim();
  git('', 'init', '-q');
  const blob = written('[core]\n', 'hash-object', '-w', '--stdin');
  const inner = written(`100644 blob ${blob}\tconfig\n`, 'mktree');
  const tree = written(`040000 tree ${inner}\t.git\n`, 'mktree');
  const raw = `tree ${tree}\nparent ${parent}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nevil\n`;
  const commit = written(raw, 'hash-object', '-w', '-t', 'commit', '--stdin');
  return {
    tree,
    commit,
    pack: git([blob, inner, tree, commit].join('\n'), 'pack-objects', '--stdout', '-q'),
  };
}

/** Returns a PATH whose git does something of its own before it packs. */
function watchedGit(before: string): string {
  const folder = scratchFolder();
  const { PATH = '' } = process.env;
  const packs = `case " $* " in *' pack-objects '*) ${before};; esac`;
  const script = `#!/bin/sh\n${packs}\nPATH='${PATH}' exec git "$@"\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return `${folder}:${PATH}`;
}

/** Writes an object that git would not make by itself; returns its id. */
function writeObject({ root, env }: Place, type: string, input: string | Buffer): string {
  const args = ['hash-object', '-t', type, '-w', '--literally', '--stdin'];
  return execFileSync('git', args, { cwd: root, env, input }).toString().trim();
}

/** Commits a tree and checks it out. */
function commitTo(user: User, tree: string, author: string): void {
  const committer = 'Ann <ann@example.org> 1 +0000';
  const commit = writeObject(
    user,
    'commit',
    `tree ${tree}\nauthor ${author}\ncommitter ${committer}\n\nold\n`,
  );
  user.git('reset', '-q', '--hard', commit);
}
