import { CollabError } from '../../errors/collab-error.ts';
import { readBaseAttributes } from './base-attributes.ts';
import { maxDiffBytes, type ChangeInput, type ChangeRequest } from './change-input.ts';
import { compareStates, counted, type Compared, type GitRequest } from './compare-states.ts';
import { markOldBinaries } from './old-binaries.ts';
import { findRepository } from '../repository/find-root.ts';
import { addFunctionContext } from './function-context.ts';
import { openGitView, type GitView, type KnownCommits } from '../repository/git-view.ts';
import { readDiffFile, takeStandardInput } from './read-diff-text.ts';
import { readCommitMessages } from './read-messages.ts';
import { unreadableError } from '../repository/resolve-commits.ts';
import type { GitEnvironment } from '../repository/run-git.ts';
import { takeSnapshot, type Snapshot } from '../repository/snapshot.ts';

export interface ResolveOptions {
  readonly cwd: string;
  readonly env: GitEnvironment;
  /** Accepts an empty file or empty standard input. An empty range or tree is never an error. */
  readonly allowEmpty?: boolean;
  /** Paths whose whole text is shown, even if they are renamed or changed in part. */
  readonly whole?: readonly string[];
  readonly signal?: AbortSignal;
  /** Gets the new side of the change while its objects can still be read. Not called for a file and standard input. */
  readonly onSnapshot?: (snapshot: Snapshot, diffText: string) => Promise<void>;
  /** The commits that the run's settings were read from. */
  readonly commits?: KnownCommits | undefined;
}

/**
 * Resolves a request to a change, as the text of a unified diff. Executes nothing from a foreign repository and writes
 * nothing into it.
 * @throws CollabError `input`, `empty_input`, `range`
 */
export async function resolveChange(request: ChangeRequest, options: ResolveOptions): Promise<ChangeInput> {
  if (request.kind === 'file') return readDiffFile(request.path, options.cwd, options.allowEmpty === true);
  if (request.kind === 'stdin') return takeStandardInput(request.text, options.allowEmpty === true);
  const repository = await findRepository(options.cwd);
  if (repository === null) {
    throw new CollabError('input', `${options.cwd} is not in a git repository`, {
      hint: 'Name a diff file, or pipe one: git diff main...HEAD | collab review -',
    });
  }
  const view = await openGitView(repository, options);
  try {
    const compared = await compareStates(view, request);
    // Listing the files takes as long as the diff: both start now.
    const snapshot = options.onSnapshot === undefined ? null : takeSnapshot(view, compared.to);
    const [between, messages] = await Promise.all([
      takeTrees(view, compared.from, compared.to, options.whole),
      readCommitMessages(view, compared),
    ]);
    if (snapshot !== null) await options.onSnapshot?.(snapshot, between.diffText);
    return describeChange(request.kind, { compared, ...between, messages }, repository.root);
  } finally {
    await view.close();
  }
}

/** Returns the part of the difference of two trees that is reviewed. @throws CollabError `input`, `range` */
export async function takeTrees(
  view: GitView,
  from: string,
  to: string,
  whole: readonly string[] = [],
): Promise<TakenTrees> {
  const [diffText, attributes] = await Promise.all([
    diffWith(view, { from, to, whole }).then((diff) => addFunctionContext(view, diff)),
    readBaseAttributes(view, from, to),
  ]);
  return { diffText, attributes: await markOldBinaries(view, { from, to, diffText, attributes }) };
}

interface Wholly {
  readonly from: string;
  readonly to: string;
  readonly whole: readonly string[];
}

async function diffWith(view: GitView, { from, to, whole }: Wholly): Promise<string> {
  if (whole.length === 0) return diffTrees(view, from, to);
  const others = whole.map((path) => `:(exclude,top,literal)${path}`);
  const added = whole.map((path) => `:(top,literal)${path}`);
  const [rest, shown] = await Promise.all([
    diffTrees(view, from, to, { paths: others }),
    diffTrees(view, from, to, { paths: added, renames: false }),
  ]);
  return `${rest}${shown}`;
}

export type TakenTrees = Pick<ChangeInput, 'diffText' | 'attributes'>;

/** Returns the diff from one tree to another. @throws CollabError `input`, `range` */
export async function diffTrees(
  view: GitView,
  from: string,
  to: string,
  { paths = [], renames = true }: { readonly paths?: readonly string[]; readonly renames?: boolean } = {},
): Promise<string> {
  const flags = [
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--ignore-submodules=none',
    '--submodule=short',
  ];
  const shape = [
    '-r',
    '-p',
    renames ? '-M' : '--no-renames',
    '--full-index',
    '--unified=3',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ];
  const result = await view.onObjects(['diff-tree', ...shape, ...flags, from, to, '--', ...paths], {
    maxOutputBytes: maxDiffBytes,
    // Only `whole` names paths, and marks each as literal itself.
    variables: { GIT_LITERAL_PATHSPECS: '0' },
  });
  if (result.truncated) {
    throw new CollabError('input', 'the change is larger than 256 MB', {
      hint: 'Review a smaller range, or part of the files: git diff main...HEAD -- src | collab review -',
    });
  }
  if (result.exitCode !== 0) throw unreadableError('the change cannot be read', result);
  return result.stdout.toString('utf8');
}

interface Taken extends TakenTrees {
  readonly compared: Compared;
  readonly messages: string | null;
}

function describeChange(kind: GitRequest['kind'], { compared, ...taken }: Taken, root: string): ChangeInput {
  const { base, head, mergeBase, to: tree, title, remarks } = compared;
  // Content lines begin with a space, a plus or a minus, so this counts headers alone.
  const files = taken.diffText.match(/^diff --git /gm)?.length ?? 0;
  const description = [`${title}: ${counted(files, 'changed file', 'changed files')}`, ...remarks].join(', ');
  return { kind, base, head, mergeBase, tree, ...taken, description, empty: taken.diffText === '', root };
}
