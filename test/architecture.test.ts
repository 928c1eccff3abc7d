import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const sourceRoot = resolve(import.meta.dirname, '../src');
const pageRoot = resolve(import.meta.dirname, '../web/src');

/** DESIGN §2: imports go down, never sideways between folders of one floor. */
const floors: readonly (readonly string[])[] = [
  ['errors', 'tags', 'events'],
  ['parsers', 'process', 'wire'],
  ['prompts', 'tools', 'config', 'git', 'secrets', 'review'],
  ['providers', 'reports', 'terminal', 'client'],
  ['machine', 'loop'],
  ['runs'],
  ['server'],
  ['cli'],
];
const sidewaysAllowed = new Set(['events → tags']);

interface Import {
  readonly from: string;
  readonly to: string;
}

test('every folder of src stands on a floor', () => {
  const known = floors.flat();
  const folders = readdirSync(sourceRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(folders.filter((folder) => !known.includes(folder))).toEqual([]);
});

test('imports go down, never up and never sideways', () => {
  expect(imports().filter(breaksAFloor).map(describeImport)).toEqual([]);
});

test('the check sees an import that goes up and one that goes sideways', () => {
  expect(breaksAFloor({ from: 'parsers/a.ts', to: 'machine/b.ts' })).toBe(true);
  expect(breaksAFloor({ from: 'git/a.ts', to: 'review/b.ts' })).toBe(true);
  expect(breaksAFloor({ from: 'cli/a.ts', to: 'tags/b.ts' })).toBe(false);
});

test('one provider knows no other', () => {
  const crossing = imports().filter(({ from, to }) => {
    const [source, target] = [providerOf(from), providerOf(to)];
    return source !== undefined && target !== undefined && source !== target;
  });
  expect(crossing.map(describeImport)).toEqual([]);
});

test('nothing below runs/ reads a clock or rolls a die in machine/', () => {
  const offenders = sources()
    .filter((path) => path.startsWith('machine/') && !path.endsWith('.test.ts'))
    .filter((path) => /\bDate\b|Math\.random|setTimeout|randomUUID|\bafter:/.test(read(path)));
  expect(offenders).toEqual([]);
});

test('the page knows the client alone, and nothing of Node', () => {
  const files = sources(pageRoot).filter((path) => !/\.test(-helper)?\.tsx?$/.test(path));
  const outside = files.flatMap((from) => importsIn(from, pageRoot)).filter(({ to }) => to.startsWith('../'));
  expect(outside.filter(({ to }) => !to.startsWith('../../src/client/')).map(describeImport)).toEqual([]);
  expect(files.filter((path) => /from 'node:/.test(read(path, pageRoot)))).toEqual([]);
});

test('what a review reads before its prompt goes out holds no table of emoji, no YAML and no client of a conversation', () => {
  const modules = readAtOnce([
    'cli/program.ts',
    'cli/review-settings.ts',
    'cli/change-request.ts',
    'cli/drive.ts',
    'runs/take-input.ts',
    'runs/early-run.ts',
    'runs/run-review.ts',
    'providers/codex/advisor.ts',
  ]);
  expect(modules).toContain('machine/review-machine.ts');
  expect(modules).toContain('zod');
  const late = ['string-width', 'yaml', 'providers/ai-client.ts', 'wire/response-projection.ts'];
  expect(late.filter((module) => modules.has(module))).toEqual([]);
});

/** The modules of src and the packages that come with `entries`: not by `import()`, and no types. */
function readAtOnce(entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries);
  for (const from of found) {
    if (!from.endsWith('.ts')) continue;
    for (const [, named = ''] of read(from).matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm))
      found.add(named.startsWith('.') ? posix.normalize(posix.join(dirname(from), named)) : named);
  }
  return found;
}

function imports(): readonly Import[] {
  return sources().flatMap((from) => importsIn(from));
}

function importsIn(from: string, root = sourceRoot): readonly Import[] {
  return [...read(from, root).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => ({
    from,
    to: posix.normalize(posix.join(dirname(from), match[1] ?? '')),
  }));
}

function breaksAFloor({ from, to }: Import): boolean {
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)];
  if (fromFolder === null || toFolder === null || fromFolder === toFolder) return false;
  if (sidewaysAllowed.has(`${fromFolder} → ${toFolder}`)) return false;
  return floorOf(toFolder) >= floorOf(fromFolder);
}

function folderOf(path: string): string | null {
  return path.includes('/') ? (path.split('/')[0] ?? null) : null;
}

function providerOf(path: string): string | undefined {
  return /^providers\/([a-z0-9_]+)\//.exec(path)?.[1];
}

function floorOf(folder: string): number {
  return floors.findIndex((floor) => floor.includes(folder));
}

function sources(root = sourceRoot): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') || path.endsWith('.tsx'))
    .map((path) => relative(root, join(root, path)).split(sep).join('/'));
}

function read(path: string, root = sourceRoot): string {
  return readFileSync(join(root, path), 'utf8');
}

function describeImport({ from, to }: Import): string {
  return `${from} imports ${to}`;
}
