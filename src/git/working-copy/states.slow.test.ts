import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { openWorkingCopy } from './working-copy.ts';

type Item =
  | { readonly kind: 'file' | 'program'; readonly bytes: Uint8Array }
  | { readonly kind: 'symlink'; readonly target: string };
type State = ReadonlyMap<string, Item>;

const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('file' as const, 'program' as const),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('a\r\nb\n', '* text=auto eol=crlf ident\n', '$Id$\n').map((text) => Buffer.from(text)),
    ),
  }),
  fc.record({ kind: fc.constant('symlink' as const), target: fc.constantFrom('a', '..', '/nowhere', 'b/c') }),
);
const name = fc.constantFrom('a', 'b', 'c d', '-rf', 'ünï', '.gitattributes', 'line\nend');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
/** Without a path below another one. */
const state: fc.Arbitrary<State> = fc
  .uniqueArray(fc.tuple(path, item), { maxLength: 8, selector: ([at]) => at })
  .map((items) => new Map(items.filter(([at]) => !items.some(([other]) => other.startsWith(`${at}/`)))));

/** A folder becomes a link to one with a file of the same name. */
const text: Item = { kind: 'file', bytes: Buffer.from('text') };
const folders: State = new Map([
  ['a/-rf', text],
  ['b/-rf', text],
]);
const linked: State = new Map<string, Item>([
  ['a', { kind: 'symlink', target: 'b' }],
  ['b/-rf', text],
]);

function put(folder: string, items: State): void {
  for (const entry of readdirSync(folder)) {
    if (entry !== '.git' && entry !== '.gitignore') rmSync(join(folder, entry), { recursive: true });
  }
  for (const [at, found] of items) {
    mkdirSync(dirname(join(folder, at)), { recursive: true });
    if (found.kind === 'symlink') symlinkSync(found.target, join(folder, at));
    else {
      writeFileSync(join(folder, at), found.bytes);
      chmodSync(join(folder, at), found.kind === 'program' ? 0o755 : 0o644);
    }
  }
}

/** Lists everything, including folders. By hand, because a recursive `readdir` follows links. */
function allOf(folder: string, below = ''): readonly string[] {
  return readdirSync(join(folder, below))
    .toSorted()
    .map((entry) => join(below, entry))
    .filter((at) => at !== '.git')
    .flatMap((at) => {
      const facts = lstatSync(join(folder, at));
      if (facts.isDirectory()) return [`${at}/`, ...allOf(folder, at)];
      if (facts.isSymbolicLink()) return [`${at} -> ${readlinkSync(join(folder, at))}`];
      return [`${at} ${facts.mode & 0o111} ${readFileSync(join(folder, at)).toString('hex')}`];
    });
}

/** Paths that no state contains and a restored folder must not contain either. */
function litter(folder: string): void {
  mkdirSync(join(folder, 'litter/empty'), { recursive: true });
  mkdirSync(join(folder, 'nested/.git'), { recursive: true });
  writeFileSync(join(folder, 'ignored.log'), 'x');
  writeFileSync(join(folder, '.env'), 'KEY=1');
  symlinkSync('/', join(folder, 'litter/root'));
}

test.each(['with git', 'without git'])(
  'restoring a snapshot gives the same folder again, %s',
  async (how) => {
    const { root, env } =
      how === 'with git' ? scratchRepository() : { root: scratchFolder(), env: scratchRepository().env };
    writeFileSync(join(root, '.gitignore'), '*.log\n');
    writeFileSync(join(root, 'first'), 'first\n');
    const runFolder = scratchFolder();
    const folder = join(scratchFolder(), 'work');
    const copy = await openWorkingCopy({ cwd: root, folder, runId: 'r1', runFolder, env });
    await fc.assert(
      fc.asyncProperty(state, state, async (one, other) => {
        put(folder, one);
        const [before, tree] = [allOf(folder), await copy.snapshot()];
        put(folder, other);
        const otherTree = await copy.snapshot();
        litter(folder);
        await copy.restore(tree);
        expect(allOf(folder)).toEqual(before);
        expect(await copy.snapshot()).toBe(tree);
        await copy.restore(otherTree);
        expect(await copy.snapshot()).toBe(otherTree);
        await copy.restore(copy.base);
        expect(readdirSync(folder).toSorted()).toEqual(['.git', '.gitignore', 'first']);
      }),
      // When the test has ended its folders are gone, and shrinking would never end.
      {
        numRuns: 8,
        examples: [
          [folders, linked],
          [linked, folders],
        ],
        endOnFailure: true,
        interruptAfterTimeLimit: 60_000,
      },
    );
  },
);
