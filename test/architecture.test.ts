import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const sourceRoot = resolve(import.meta.dirname, '../src');
const pageRoot = resolve(import.meta.dirname, '../web/src');
const testRoot = import.meta.dirname;
/** The most files that a reader can overlook; a larger folder gets shelves. */
const mostFilesInAFolder = 30;

/** The rooms of `src`, from the ground up, as `references/architecture.md` shows them. */
const floors = readFloors(
  readFileSync(resolve(import.meta.dirname, '../references/architecture.md'), 'utf8'),
);

interface Import {
  readonly from: string;
  readonly to: string;
}

test('every folder of src is a room of references/architecture.md, and every room is a folder', () => {
  const known = floors.flat();
  const folders = readdirSync(sourceRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(folders.toSorted()).toEqual(known.toSorted());
});

test('references/architecture.md lists every shelf of a room, and no missing file', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../references/architecture.md'), 'utf8');
  const shown = [...roomsIn(page)].map(([, room = '', shelves = '']) => [room, wordsIn(shelves)] as const);
  const real = shown.map(([room]) => [room, shelvesOf(room)] as const);
  expect(shown).toEqual(real);
  const files = [...page.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((path) => !existsSync(resolve(import.meta.dirname, '..', path)))).toEqual([]);
});

test('imports go down, never up or sideways', () => {
  expect(imports().filter(breaksAFloor).map(describeImport)).toEqual([]);
});

test('the check sees an import that goes up and one that goes sideways', () => {
  expect(breaksAFloor({ from: 'parsers/a.ts', to: 'machine/b.ts' })).toBe(true);
  expect(breaksAFloor({ from: 'git/a.ts', to: 'review/b.ts' })).toBe(true);
  expect(breaksAFloor({ from: 'cli/a.ts', to: 'tags/b.ts' })).toBe(false);
});

test.each([
  [
    'type',
    /^export (?:abstract )?(?:interface|type|class) (\w+)/gm,
    'CollabEvent',
    'src/events/collab-event.ts',
  ],
  [
    'function',
    /^export (?:async )?(?:function\*?|const) (\w+)/gm,
    'readAnswer',
    'src/parsers/answers/read-answer.ts',
  ],
])('an exported %s name has one meaning', (_what, pattern, example, home) => {
  const homes = new Map<string, Set<string>>();
  for (const [root, name] of [
    [sourceRoot, 'src'],
    [pageRoot, 'web/src'],
  ] as const)
    for (const path of sources(root).filter((file) => !isOfTest(file)))
      for (const [, found = ''] of read(path, root).matchAll(pattern))
        homes.set(found, (homes.get(found) ?? new Set()).add(`${name}/${path}`));
  const ambiguous = [...homes].filter(([, files]) => files.size > 1 && !isOfTwins([...files]));
  expect(ambiguous.map(([found, files]) => `${found}: ${[...files].join(', ')}`)).toEqual([]);
  expect(homes.get(example)).toEqual(new Set([home]));
});

test.each([
  ['src', sourceRoot],
  ['the page', pageRoot],
  ['the tests', testRoot],
])('no rooms of %s import each other in a circle', (_name, root) => {
  expect(findCircle(roomImports(root))).toBeNull();
});

test('the check sees two rooms in a circle, and one by way of a third', () => {
  const straight = { from: 'a/x.ts', to: 'b/x.ts' };
  const within = { from: 'b/x.ts', to: 'b/y.ts' };
  const outside = { from: 'b/x.ts', to: '../test/x.ts' };
  expect(findCircle([straight, within, outside, { from: 'x.ts', to: 'a/x.ts' }])).toBeNull();
  expect(findCircle([straight, { from: 'b/y.ts', to: 'a/y.ts' }])).toBe('a → b → a');
  expect(
    findCircle([
      { from: 'z/x.ts', to: 'a/x.ts' },
      straight,
      { from: 'b/y.ts', to: 'c/x.ts' },
      { from: 'c/y.ts', to: 'a/y.ts' },
    ]),
  ).toBe('a → b → c → a');
});

test(`no folder of src, web/src and test holds more than ${mostFilesInAFolder} files`, () => {
  expect(crowdedFolders(trackedFiles())).toEqual([]);
});

test('the check counts helpers, fixtures and their tests, but not tests next to their file', () => {
  const files = [
    ...manyFiles('src/a', '.ts', mostFilesInAFolder),
    ...manyFiles('src/a', '.slow.test.ts', 5),
    ...manyFiles('src/a/shelf', '.ts', 5),
    ...manyFiles('src/b', '.test-helper.ts', mostFilesInAFolder + 1),
    ...manyFiles('web/src/c', '.test.tsx', mostFilesInAFolder + 1),
    ...manyFiles('test/d', '.test.ts', mostFilesInAFolder + 1),
    ...manyFiles('test/fixtures/e', '.json', mostFilesInAFolder + 1),
  ];
  expect(crowdedFolders(files)).toEqual(['src/b: 31 files', 'test/d: 31 files', 'test/fixtures/e: 31 files']);
});

test('a test helper is imported only by tests and helpers', () => {
  expect([sourceRoot, pageRoot].flatMap(productionImports).filter(isOfTests).map(describeImport)).toEqual([]);
});

test('the check sees a helper and a file of test/ that production imports', () => {
  expect(isOfTests({ from: 'a/x.ts', to: 'a/y.test-helper.ts' })).toBe(true);
  expect(isOfTests({ from: 'a/x.ts', to: '../test/setup/draws.ts' })).toBe(true);
  expect(isOfTests({ from: 'a/x.ts', to: 'a/test-helper.ts' })).toBe(false);
});

test('no provider imports another', () => {
  const crossing = imports().filter(({ from, to }) => {
    const [source, target] = [providerOf(from), providerOf(to)];
    return source !== undefined && target !== undefined && source !== target;
  });
  expect(crossing.map(describeImport)).toEqual([]);
});

test('no module reads a clock or randomness in machine/, nor in anything that it uses', () => {
  const offenders = sources()
    .filter((path) => path.startsWith('machine/') && !path.endsWith('.test.ts'))
    .filter((path) => /\bDate\b|Math\.random|setTimeout|randomUUID|\bafter:/.test(read(path)));
  expect(offenders).toEqual([]);
});

test('the page imports only the client, and nothing of Node', () => {
  const files = sources(pageRoot).filter((path) => !isOfTest(path));
  const outside = files.flatMap((from) => importsIn(from, pageRoot)).filter(({ to }) => to.startsWith('../'));
  expect(outside.filter(({ to }) => !to.startsWith('../../src/client/')).map(describeImport)).toEqual([]);
  expect(files.filter((path) => /from 'node:/.test(read(path, pageRoot)))).toEqual([]);
});

test('a review loads no emoji table, no YAML and no conversation client before its prompt is sent', () => {
  const modules = readAtOnce([
    'cli/program.ts',
    'runs/start.ts',
    'runs/start/merge-settings.ts',
    'runs/start/change-request.ts',
    'runs/start/review-lead.ts',
    'runs/start/create-run.ts',
    'cli/driving/present-here.ts',
    'runs/review/prepare-early.ts',
    'runs/review/early-agent.ts',
    'runs/review/drive.ts',
    'providers/codex/advisor.ts',
  ]);
  expect(modules).toContain('machine/review/review-machine.ts');
  expect(modules).toContain('zod');
  const late = [
    'string-width',
    'yaml',
    'providers/client/ai-client.ts',
    'views/screen/response-projection.ts',
  ];
  expect(late.filter((module) => modules.has(module))).toEqual([]);
});

test('only collab acp loads the SDK of editors', () => {
  const shelf = 'cli/acp/';
  const files = sources().filter((path) => !/\.test(-helper)?\.ts$/.test(path));
  const users = files.filter((path) =>
    /^(?:import|export) (?!type )[^;]*? from '@agentclientprotocol\/sdk/m.test(read(path)),
  );
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter((path) => !path.startsWith(shelf))).toEqual([]);
  const callers = files.filter((path) => !path.startsWith(shelf));
  const ways = callers.flatMap((path) => importsIn(path)).filter(({ to }) => to.startsWith(shelf));
  expect(ways).toEqual([{ from: 'cli/commands/acp-command.ts', to: `${shelf}serve-acp.ts` }]);
  const atOnce = [...readAtOnce(['cli/command-line.ts', 'cli/program.ts'])];
  expect(atOnce).toContain('cli/commands/acp-command.ts');
  expect(atOnce.filter((path) => path.startsWith(shelf))).toEqual([]);
});

test('commands, servers and calling agents reach runs through the port of the engine alone', () => {
  const callers = sources().filter((path) => /^(?:cli|server|mcp)\//.test(path) && !isOfTest(path));
  expect(callers.flatMap(pastThePort).toSorted()).toEqual(stillPastThePort);
});

test('the check sees an import past the port, at once or late, and not the port, a type or a pure name', () => {
  const past = [
    "import { openRun, type OpenedRun } from '../../runs/folder/opened-run.ts';",
    "import type { RunFolder } from '../../runs/folder/run-folder.ts';",
    "import type { Engine } from '../../runs/engine/engine.ts';",
    "import { collabHome,\n  listRuns } from '../../runs/folder/run-folder.ts';",
    "const { findOwner } = await import('../../engine/lock/lock.ts');",
  ];
  expect(past.flatMap((line) => namesPastThePort('cli/commands/a.ts', line))).toEqual([
    'openRun',
    'listRuns',
    'findOwner',
  ]);
});

/** Names from the folder of runs that a command or a server may use: none of them reads or writes a run. */
const besideRuns = [
  'collabHome',
  'makeHome',
  'newRunId',
  'isUnreadable',
  'nullWhenLocked',
  'lineOf',
  'subjectOf',
  'countedBySeverity',
  'severityCountsSchema',
];
const shelvesOfRuns =
  /^(?:engine\/(?!port\.ts)|runs\/folder\/(?!project-file|run-settings|state-folder)|runs\/start\/create-run)/;

/** This list may only become shorter. */
const stillPastThePort = [
  // Migrates, checks and cleans the database itself.
  'cli/engine/engine-command.ts: cleanDatabase',
  'cli/engine/engine-command.ts: migrateDatabase',
  'cli/engine/engine-command.ts: probeDatabase',
  // A conversation is not a run, and has no port.
  'cli/chat/chat.ts: recordsSoFar',
  'server/conversations/conversation-locks.ts: takeLock',
  'server/runs/run-manager.ts: askOwner',
  // A result file that a person names.
  'cli/commands/gate-command.ts: readReviewResultFile',
  'cli/commands/report-command.ts: readResultFile',
  // Files beside the records of a run.
  'cli/commands/clean-command.ts: removeDeadCopies',
  'cli/commands/show-command.ts: transcriptFile',
  'mcp/resources.ts: transcriptFile',
  'server/conversations/conversation-view.ts: journalFile',
  'server/streams/served-streams.ts: readResult',
  // Runs that the process itself starts or drives.
  'cli/setup/demo.ts: createRun',
  'server/runs/drive-served.ts: recordsSoFar',
  'server/runs/run-manager.ts: collectRecords',
  'server/runs/run-manager.ts: failRun',
  // The lists of a server are made at once.
  'server/runs/tenant-runs.ts: conversationsOf',
  'server/runs/tenant-runs.ts: listRuns',
].toSorted();

function pastThePort(from: string): readonly string[] {
  return namesPastThePort(from, read(from)).map((name) => `${from}: ${name}`);
}

/** The values that a file imports from the folder and the records of runs. */
function namesPastThePort(from: string, text: string): readonly string[] {
  const imported = /(?:^(?:import|export) \{([^}]*)\} from |\{([^{}]*)\} = await import\()\s*'(\.[^']+)'/gm;
  return [...text.matchAll(imported)].flatMap(([, atOnce = '', late = '', named = '']) => {
    if (!shelvesOfRuns.test(posix.normalize(posix.join(dirname(from), named)))) return [];
    const names = `${atOnce}${late}`.split(',').map((name) => name.trim());
    return names.filter((name) => name !== '' && !name.startsWith('type ') && !besideRuns.includes(name));
  });
}

function isOfTest(path: string): boolean {
  return /\.test(-helper)?\.tsx?$/.test(path);
}

/** The modules of src and the packages that `entries` load statically, without types. */
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
  return [...read(from, root).matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)].map((match) => ({
    from,
    to: posix.normalize(posix.join(dirname(from), match[1] ?? '')),
  }));
}

/** The imports of a room, without those of its tests, except in `test/`, where there is nothing else. */
function roomImports(root: string): readonly Import[] {
  return root === testRoot
    ? sources(root)
        .filter((path) => !/(?:^|\/)node_modules\/|^fixtures\/rules\//.test(path))
        .flatMap((from) => importsIn(from, root))
    : productionImports(root);
}

function productionImports(root: string): readonly Import[] {
  return sources(root)
    .filter((path) => !isOfTest(path))
    .flatMap((from) => importsIn(from, root));
}

function isOfTests({ to }: Import): boolean {
  return isOfTest(to) || /^(?:\.\.\/)+test\//.test(to);
}

/** A circle of rooms, `a → b → a`, or null. */
function findCircle(edges: readonly Import[]): string | null {
  const needed = new Map<string, Set<string>>();
  for (const edge of edges) {
    const [from, to] = [folderOf(edge.from), folderOf(edge.to)];
    if (from === null || to === null || to === '..' || from === to) continue;
    needed.set(from, (needed.get(from) ?? new Set()).add(to));
  }
  const harmless = new Set<string>();
  function visit(room: string, way: readonly string[]): string | null {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room].join(' → ');
    if (harmless.has(room)) return null;
    for (const next of needed.get(room) ?? []) {
      const circle = visit(next, [...way, room]);
      if (circle !== null) return circle;
    }
    harmless.add(room);
    return null;
  }
  for (const room of needed.keys()) {
    const circle = visit(room, []);
    if (circle !== null) return circle;
  }
  return null;
}

function manyFiles(folder: string, ending: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => `${folder}/${number}${ending}`);
}

function trackedFiles(): readonly string[] {
  const cwd = resolve(testRoot, '..');
  const asked = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'src', 'web/src', 'test'];
  return execFileSync('git', asked, { cwd, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(cwd, path)));
}

function crowdedFolders(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of files) {
    if (!path.startsWith('test/') && /\.test\.tsx?$/.test(path)) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > mostFilesInAFolder)
    .map(([folder, count]) => `${folder}: ${count} files`);
}

function breaksAFloor({ from, to }: Import): boolean {
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)];
  if (fromFolder === null || toFolder === null || fromFolder === toFolder) return false;
  return floorOf(toFolder) >= floorOf(fromFolder);
}

function folderOf(path: string): string | null {
  return path.includes('/') ? (path.split('/')[0] ?? null) : null;
}

/** Shelves such as `providers/contract` serve all providers; a provider's own folder holds its client. */
function providerOf(path: string): string | undefined {
  const folder = /^providers\/([a-z0-9_]+)\//.exec(path)?.[1];
  return folder !== undefined && existsSync(join(sourceRoot, `providers/${folder}/${folder}_client.ts`))
    ? folder
    : undefined;
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

/** Each row of the table: floor, room, shelves. */
function roomsIn(page: string): Iterable<RegExpMatchArray> {
  return page.matchAll(/^\| (?:\d+) +\| `(\w+)` +\|([^|]*)\|/gm);
}

function readFloors(page: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  for (const [, floor = '', room = ''] of page.matchAll(/^\| (\d+) +\| `(\w+)` +\|/gm))
    (found[Number(floor)] ??= []).push(room);
  return found;
}

function wordsIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([\w-]+)`/g)].map(([, word = '']) => word).toSorted();
}

/** A provider's own folder is not a shelf of the room; one row covers all of them. */
function shelvesOf(room: string): readonly string[] {
  return readdirSync(join(sourceRoot, room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
    .map((entry) => entry.name)
    .filter((name) => room !== 'providers' || providerOf(`providers/${name}/`) === undefined)
    .toSorted();
}

/** Providers name what each of them has by the same name. */
function isOfTwins(files: readonly string[]): boolean {
  const providers = files.map((file) => providerOf(file.replace(/^src\//, '')));
  return !providers.includes(undefined) && new Set(providers).size === files.length;
}

function describeImport({ from, to }: Import): string {
  return `${from} imports ${to}`;
}
