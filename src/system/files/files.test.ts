import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { inFolder, inNewFolder, makeFolder, realPlace } from './in-folder.ts';
import { factsOf, openToRead, readText } from './read.ts';
import { countCalls, withStepBefore } from './step-before-call.test-helper.ts';
import { openToAppend, remove, writeAtomically, writeNew } from './write.ts';
import { isStream, placeOfUser, writeNamed } from './write-named.ts';

let folder: string;
/** A folder outside of the used one. */
let outside: string;

beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-files-')));
  [folder, outside] = [join(root, 'work'), join(root, 'outside')];
  for (const path of [folder, outside]) mkdirSync(path);
  writeFileSync(join(outside, 'kept'), 'kept');
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const writers: readonly (readonly [string, (path: string) => void])[] = [
  ['writeAtomically', (path) => writeAtomically(path, 'new')],
  ['writeNew', (path) => writeNew(path, 'new')],
  ['writeNamed', (path) => writeNamed(path, 'new')],
  ['openToAppend', (path) => openToAppend(path).append('new')],
];

test.each(writers)('%s writes a file that only its owner can read', (_, write) => {
  const file = join(folder, 'file');
  write(file);
  expect([readFileSync(file, 'utf8'), lstatSync(file).mode & 0o777]).toEqual(['new', 0o600]);
  expect(readdirSync(folder)).toEqual(['file']);
});

describe.skipIf(process.platform === 'win32')('in place of a file', () => {
  const odd: readonly (readonly [string, (path: string) => void])[] = [
    ['a link', (path) => symlinkSync(join(outside, 'kept'), path)],
    ['a dangling link', (path) => symlinkSync(join(outside, 'made'), path)],
    ['a folder', (path) => mkdirSync(path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ];
  test.each(
    odd.flatMap(([what, make]) => writers.map(([name, write]) => [what, name, make, write] as const)),
  )('%s is no way for %s', (what, name, make, write) => {
    const file = join(folder, 'file');
    make(file);
    const before = lstatSync(file).ino;
    // The user may name a pipe for output; without a reader it is refused.
    const refused = name === 'writeNamed' && what === 'a pipe' ? 'file' : 'input';
    expect(codeOf(() => write(file))).toBe(name === 'writeNew' ? 'EEXIST' : refused);
    expect(lstatSync(file).ino).toBe(before);
    expect(readdirSync(outside)).toEqual(['kept']);
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
  });

  test.each(odd)('%s is not read', (_, make) => {
    const file = join(folder, 'file');
    make(file);
    expect(codeOf(() => readText(file))).toBe('input');
    expect(codeOf(() => openToRead(file))).toBe('input');
    expect(factsOf(file)).toBe(null);
  });

  test('a hard link to another user’s file is not appended to', () => {
    linkSync(join(outside, 'kept'), join(folder, 'file'));
    expect(codeOf(() => openToAppend(join(folder, 'file')))).toBe('input');
    writeAtomically(join(folder, 'file'), 'new');
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
  });
});

test.skipIf(process.platform === 'win32')('a file on the way is named as one', () => {
  writeFileSync(join(folder, 'file'), '');
  const message = `${join(folder, 'file')} is a file instead of a folder; nothing is read or written through it`;
  for (const path of ['file/a', 'file/below/a', 'file/below/deep/a']) {
    expect(() => writeNew(join(folder, path), '')).toThrow(message);
  }
});

describe('a link on the way', () => {
  beforeEach(() => symlinkSync(outside, join(folder, 'way')));

  test.each(writers.filter(([name]) => name !== 'writeNamed'))('is no way for %s', (_, write) => {
    expect(codeOf(() => write(join(folder, 'way/made')))).toBe('input');
    expect(codeOf(() => write(join(folder, 'way/kept')))).toBe('input');
    expect(readdirSync(outside)).toEqual(['kept']);
  });

  test('is not read, removed or created through', () => {
    expect(codeOf(() => readText(join(folder, 'way/kept')))).toBe('input');
    expect(codeOf(() => remove(join(folder, 'way/kept')))).toBe('input');
    expect(codeOf(() => makeFolder(join(folder, 'way/deep/deeper')))).toBe('input');
    expect(codeOf(() => makeFolder(join(folder, 'way')))).toBe('input');
    expect(readdirSync(outside)).toEqual(['kept']);
  });

  test('made by the user leads to a file that the user names, but not one in a repository', () => {
    writeNamed(join(folder, 'way/report'), 'new');
    expect(readFileSync(join(outside, 'report'), 'utf8')).toBe('new');
    mkdirSync(join(folder, '.git'));
    expect(codeOf(() => writeNamed(join(folder, 'way/other'), 'new'))).toBe('input');
    expect(codeOf(() => placeOfUser(join(folder, 'way/deep/other')))).toBe('input');
    expect(readdirSync(outside)).toEqual(['kept', 'report']);
  });

  test('is itself removed, and its target stays', () => {
    remove(join(folder, 'way'));
    remove(join(folder, 'never'));
    expect([existsSync(join(folder, 'way')), readdirSync(outside)]).toEqual([false, ['kept']]);
  });
});

test.runIf(process.platform === 'linux')(
  'a folder that is replaced by a link while it is open leads nowhere',
  () => {
    const held = join(folder, 'held');
    makeFolder(held);
    inFolder(held, ({ at }) => {
      renameSync(held, join(folder, 'moved'));
      symlinkSync(outside, held);
      writeFileSync(at('file'), 'new', { flag: 'wx' });
    });
    expect([readdirSync(join(folder, 'moved')), readdirSync(outside)]).toEqual([['file'], ['kept']]);
  },
);

test('the first sync of a new file makes its name durable, too', () => {
  const file = openToAppend(join(folder, 'log'));
  file.append('line\n');
  const first = countCalls(() => file.sync());
  expect([first > 1, countCalls(() => file.sync())]).toEqual([true, 1]);
  file.close();
  const again = openToAppend(join(folder, 'log'));
  expect(countCalls(() => again.sync())).toBe(1);
  again.close();
});

test('missing folders are created one by one, and an existing one does not count as new', () => {
  expect(makeFolder(join(folder, 'a/b/c'))).toBe(true);
  expect(makeFolder(join(folder, 'a/b/c'))).toBe(false);
  expect(realPlace(join(folder, 'a/../a/b/none/x'))).toBe(join(folder, 'a/b/none/x'));
  writeFileSync(join(folder, 'file'), '');
  expect(codeOf(() => makeFolder(join(folder, 'file')))).toBe('input');
  expect(codeOf(() => makeFolder(join(folder, 'file/below')))).toBe('input');
});

test('work in a new folder is done again if another process removes the folder, but not forever', () => {
  const path = join(folder, 'a/b');
  let tries = 0;
  const write = (removals: number) => (): void => {
    tries += 1;
    if (tries <= removals) rmSync(join(folder, 'a'), { recursive: true });
    writeFileSync(join(path, 'file'), 'text');
  };
  inNewFolder(path, write(2));
  expect([tries, readFileSync(join(path, 'file'), 'utf8')]).toEqual([3, 'text']);
  tries = 0;
  expect(() => inNewFolder(path, write(Infinity))).toThrow('ENOENT');
});

test.each(['a', 'a/b', 'a/b/c'])(
  'folders are created while another process creates %s, at any moment',
  (theirs) => {
    let count = Infinity;
    for (let at = 1; at <= count; at += 1) {
      const root = mkdtempSync(join(folder, 'root-'));
      const makeTheirs = (): unknown => mkdirSync(join(root, theirs), { recursive: true });
      count = withStepBefore(at, makeTheirs, () => makeFolder(join(root, 'a/b/c')));
      expect([at, existsSync(join(root, 'a/b/c'))]).toEqual([at, true]);
    }
  },
);

test.runIf(process.platform === 'linux')('a folder that cannot be created is an error, not a wait', () => {
  expect(codeOf(() => makeFolder('/proc/none/deep'))).toBe('ENOENT');
});

test('a name that is too long is refused with the name', () => {
  const file = join(folder, 'x'.repeat(300));
  expect(() => writeAtomically(file, '')).toThrow(`${file} cannot be written: the name is too long`);
});

test.runIf(existsSync('/dev/full'))(
  'a device gets what is written, stays a device, and says when it is full',
  () => {
    writeNamed('/dev/null', 'new');
    expect(() => writeNamed('/dev/full', 'new')).toThrow('/dev/full cannot be written: the disk is full');
    expect(lstatSync('/dev/full').isCharacterDevice() && lstatSync('/dev/null').isCharacterDevice()).toBe(
      true,
    );
    expect(['/dev/stdout', '/dev/fd/3', '/dev/null', join(folder, 'file')].map(isStream)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  },
);

function codeOf(action: () => unknown): unknown {
  try {
    action();
    return null;
  } catch (error) {
    return error instanceof CollabError || (error instanceof Error && 'code' in error) ? error.code : error;
  }
}
