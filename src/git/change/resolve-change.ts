import { allDone } from '../../system/all-done.ts';
import { readBaseAttributes } from './base-attributes.ts';
import type { ContextLevel } from '../../parsers/diff/widen-change.ts';
import type { ChangeInput, ChangeRequest } from './change-input.ts';
import { compareStates, counted, isGitRequest, type Compared, type GitRequest } from './compare-states.ts';
import { diffWith, type TreeDiff } from './diff-trees.ts';
import type { EarlyStates } from './early-states.ts';
import { requireRepository } from '../repository/find-root.ts';
import { markOldBinaries } from './old-binaries.ts';
import { addContext } from './add-context.ts';
import {
  listChanged,
  listCommitted,
  listFiles,
  type FileList,
  type FileLists,
} from '../repository/file-list.ts';
import type { GitView, PrivateView } from '../repository/git-view.ts';
import { readBeside } from './read-beside.ts';
import { takeDiff } from './read-diff-text.ts';
import { readCommitMessages } from './read-messages.ts';
import type { GitEnvironment } from '../repository/run-git.ts';
import { openView, type SharedView } from '../repository/shared-view.ts';
import { snapshotOf, type Snapshot } from '../repository/snapshot.ts';

export interface ResolveOptions {
  readonly cwd: string;
  readonly env: GitEnvironment;
  /** Accepts an empty file or empty standard input. An empty range or tree is never an error. */
  readonly allowEmpty?: boolean;
  /** Paths whose whole text is shown, even if they are renamed or changed in part. */
  readonly whole?: readonly string[];
  /** Names of files that are read from the old side, beside the changed files and above. Not for a diff from elsewhere. */
  readonly beside?: readonly string[];
  /** How much of the changed files the diff shows; default: as git does. Not for a diff from elsewhere. */
  readonly context?: ContextLevel;
  readonly signal?: AbortSignal;
  /** Keeps the new side of the change for agents. Not used for a file and standard input. */
  readonly keep?: KeepSnapshot;
  /** Readers of files of the new side. Not used for a file and standard input. */
  readonly newTexts?: readonly NewTexts[];
  /** The view that the run's settings were read from. */
  readonly view?: SharedView | undefined;
  /** The states of the change, if they are being read. */
  readonly states?: EarlyStates | null | undefined;
}

export interface NewTexts {
  /** Chooses the paths. */
  readonly paths: (diff: TreeDiff) => readonly string[];
  /** Called for each path; null if there is no such file. */
  readonly take: (path: string, text: string | null) => void;
}

export interface KeepSnapshot {
  readonly lists: FileLists;
  /** Called while the objects of the snapshot can still be read. */
  readonly snapshot: (snapshot: Snapshot, changedPaths: readonly string[]) => Promise<void>;
}

/**
 * Resolves a request to a change, as the text of a unified diff. Executes nothing from a foreign repository and writes
 * nothing into it.
 * @throws CollabError `input`, `empty_input`, `range`
 */
export async function resolveChange(request: ChangeRequest, options: ResolveOptions): Promise<ChangeInput> {
  if (!isGitRequest(request)) return takeDiff(request, options.cwd, options.allowEmpty === true);
  const repository = await requireRepository(options.cwd, otherwise);
  const view = await openView(repository, options);
  const { keep } = options;
  let files: Promise<FileList> | null = null;
  const listFrom = (tree: string): void => {
    if (keep !== undefined) files ??= listCommitted(view, keep.lists, tree);
    // The failure is reported to the reader of the files.
    files?.catch(() => undefined);
  };
  try {
    // Listing the old side takes as long as staging the new one: both start now.
    const compared = await (options.states?.compare(listFrom) ?? compareStates(view, request, listFrom));
    const { from, to } = compared;
    listFrom(from);
    const diff = await diffWith(view, from, to, options.whole ?? []);
    const [between, messages] = await allDone([
      describeTrees(view, { from, to, diff, files }, options),
      readCommitMessages(view, compared),
      keep === undefined || files === null ? null : keepNewSide(view, keep, { to, diff, files }),
      readNewTexts(view, options.newTexts ?? [], { to, diff }),
    ]);
    return describeChange(request.kind, { compared, ...between, messages }, repository.root);
  } finally {
    await view.close();
  }
}

const otherwise = 'Name a diff file, or pipe one: git diff main...HEAD | collab review -';

/** Returns the part of the difference of two trees that is reviewed. @throws CollabError `input`, `range` */
export async function takeTrees(
  view: GitView,
  from: string,
  to: string,
  options: TreesOptions = {},
): Promise<TakenTrees> {
  const diff = await diffWith(view, from, to, options.whole ?? []);
  return describeTrees(view, { from, to, diff, files: null }, options);
}

interface DifferentTrees {
  readonly from: string;
  readonly to: string;
  readonly diff: TreeDiff;
  /** The files of the old side; null: git lists those that count. */
  readonly files: Promise<FileList> | null;
}

async function describeTrees(
  view: GitView,
  { from, to, diff: { text, changed }, files }: DifferentTrees,
  { beside: names = [], context }: TreesOptions,
): Promise<TakenTrees> {
  const readAttributes = async () =>
    readBaseAttributes(view, { from, changed, files: (await files)?.entries });
  const [{ text: diffText, costs }, attributes, beside] = await allDone([
    context === undefined ? { text, costs: null } : addContext(view, text, context),
    readAttributes(),
    readBeside(view, from, { changed: changed.map(({ path }) => path), names }),
  ]);
  return {
    diffText,
    attributes: await markOldBinaries(view, { from, to, diffText, attributes }),
    ...(names.length === 0 ? {} : { beside }),
    ...(costs === null ? {} : { contextCosts: costs }),
  };
}

async function keepNewSide(
  view: PrivateView,
  { lists, snapshot }: KeepSnapshot,
  {
    to,
    diff: { changed },
    files,
  }: Pick<DifferentTrees, 'to' | 'diff'> & { readonly files: Promise<FileList> },
): Promise<void> {
  const listed = async (): Promise<FileList> =>
    (await listChanged(view, await files, { tree: to, changed })) ?? listFiles(view, lists, to);
  const paths = changed.map(({ path }) => path);
  await snapshot(snapshotOf(view, to, listed()), paths);
}

async function readNewTexts(
  view: PrivateView,
  readers: readonly NewTexts[],
  { to, diff }: Pick<DifferentTrees, 'to' | 'diff'>,
): Promise<void> {
  // A name with a line break cannot be asked for.
  const wanted = readers.map((reader) => reader.paths(diff).filter((path) => !path.includes('\n')));
  const paths = [...new Set(wanted.flat())];
  const contents = await view.objects.blobs(paths.map((path) => `${to}:${path}`));
  const texts = new Map(paths.map((path, index) => [path, contents[index]?.toString('utf8') ?? null]));
  for (const [index, { take }] of readers.entries())
    for (const path of wanted[index] ?? []) take(path, texts.get(path) ?? null);
}

export type TreesOptions = Pick<ResolveOptions, 'whole' | 'beside' | 'context'>;
export type TakenTrees = Pick<ChangeInput, 'diffText' | 'attributes' | 'beside' | 'contextCosts'>;

interface Taken extends TakenTrees {
  readonly compared: Compared;
  readonly messages: string | null;
}

function describeChange(kind: GitRequest['kind'], { compared, ...taken }: Taken, root: string): ChangeInput {
  const { base, head, mergeBase, to: tree, title, remarks, untracked, hidden = [] } = compared;
  // Content lines begin with a space, a plus or a minus, so this counts headers alone.
  const files = taken.diffText.match(/^diff --git /gm)?.length ?? 0;
  const description = [`${title}: ${counted(files, 'changed file', 'changed files')}`, ...remarks].join(', ');
  return {
    kind,
    base,
    head,
    mergeBase,
    tree,
    ...taken,
    description,
    empty: taken.diffText === '',
    ...(untracked === undefined ? {} : { untracked }),
    ...(hidden.length === 0 ? {} : { hidden }),
    root,
  };
}
