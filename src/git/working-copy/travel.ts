/**
 * A working copy as bytes, for a machine that does not have the user's repository: its states byte for byte and the commits of
 * its branch, without the history before it. The machine opens it as after the loss of its folder.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { createFile, createFolder, removeTree } from '../../system/files/tree.ts';
import { findRepository, requireRepository, type Repository } from '../repository/find-root.ts';
import { openGitView, type GitView, type OpenViewOptions } from '../repository/git-view.ts';
import { objectIdSchema } from '../repository/object-id.ts';
import { readState } from './begin.ts';
import { isAncestor, moveBranch, readBranch } from './commit.ts';
import {
  contentRulesSchema,
  readContentRules,
  writeContentRules,
  type ContentRules,
} from './content-rules.ts';
import { addPack, mostPackBytes, packFirst } from './pack.ts';
import { openPlace, storePath, type WorkingCopyPlace } from './place.ts';
import { copyRecordSchema, headOf, writeCopyRecord, type CommittedTree, type CopyRecord } from './record.ts';
import { openStore } from './store.ts';
import type { Edits, WorkingCopyOptions } from './working-copy.ts';

/** A later state of a copy, with the objects that the commits before it do not have. */
export interface LaterState {
  readonly tree: string;
  /** The commit of the state; null if the run has made none yet. */
  readonly commit: string | null;
  readonly pack: Buffer;
}

export interface TravelOptions extends OpenViewOptions {
  /** The folder of the run, which keeps the states. */
  readonly runFolder: string;
  readonly runId: string;
}

export interface TakeCopyOptions extends Pick<WorkingCopyOptions, 'cwd' | 'runId' | 'env' | 'signal'> {
  /** The most bytes of the pack. Default: 64 MB. */
  readonly mostBytes?: number;
}

/**
 * Takes the state of the user's folder, as a run does that begins here. Moves no branch of the user's repository, and copies no
 * file: git ends as soon as its pack is too large.
 * @throws CollabError `input` if it is larger than a pack may be, or has an object that a worker would refuse, `range`
 */
export async function takeCopy({ mostBytes = mostPackBytes, ...options }: TakeCopyOptions): Promise<Buffer> {
  const runFolder = makeTemporaryFolder('collab-copy-');
  try {
    const repository = await findRepository(options.cwd);
    const folder = repository?.root ?? options.cwd;
    const place = await openPlace({ ...options, folder, runFolder }, repository);
    const { record, head } = await readState(place);
    const pack = await packFirst(place.store, record, mostBytes);
    if (pack === null) throw tooLarge(place.root, mostBytes);
    await refuseAsWorker(place, record, pack);
    const { env, signal } = place;
    const calls = { env, ...(signal === undefined ? {} : { signal }) };
    const rules =
      repository === null ? null : await readContentRules(repository, { ...calls, cwd: runFolder });
    return encodeCopy({ record, head, rules, pack });
  } finally {
    await removeTree(runFolder);
  }
}

/** Unpacks the pack in the store that has its objects: writes none, and refuses each that a worker would refuse. */
async function refuseAsWorker({ store }: WorkingCopyPlace, record: CopyRecord, pack: Buffer): Promise<void> {
  createFile(join(store.repository.gitDir, 'blind/shallow'), `${headOf(record).commit}\n`);
  try {
    await addPack(store.onObjects, pack, true);
  } catch (cause) {
    if (!(cause instanceof CollabError) || cause.code !== 'input') throw cause;
    throw new CollabError('input', cause.message, { hint: startHere, cause });
  }
}

function tooLarge(root: string, mostBytes: number): CollabError {
  return new CollabError(
    'input',
    `The files of ${root} pack to more than ${mostBytes / 1024 / 1024} MB, the most that a run takes along`,
    { hint: startHere },
  );
}

const startHere = 'Start the run here: leave out --remote.';

/**
 * Creates the run's store, and a repository at the new folder `root` that has nothing but the commits of the copy.
 * @throws CollabError `input` if a pack is damaged
 */
export async function unpackCopy(
  bytes: Buffer,
  later: readonly LaterState[],
  { root, runFolder, runId, ...calls }: TravelOptions & { readonly root: string },
): Promise<void> {
  const { record, base, rules, packs } = openCopy(bytes, later, runId);
  createFolder(root);
  makeFolder(runFolder);
  if (record.branch === null) {
    const store = await openStore({ ...calls, path: storePath(runFolder), folder: root, repository: null });
    for (const one of packs) await addPack(store.onObjects, one, true);
    await moveBranch(store, 'edits', headOf(record).commit);
  } else {
    writeRepository(root, base.commit);
    if (rules !== null) writeContentRules(join(root, '.git'), rules);
    await inRepository(await requireRepository(root), calls, async (view) => {
      for (const one of packs) await addPack(view.inWorkTree, one, true);
      await moveBranch(view, 'main', base.commit);
      await moveBranch(view, record.branch ?? '', headOf(record).commit);
    });
    await openStore({
      ...calls,
      path: storePath(runFolder),
      folder: root,
      repository: await requireRepository(root),
    });
  }
  writeCopyRecord(storePath(runFolder), record);
}

/** The parents of its first commit stay on the user's machine. */
function writeRepository(root: string, base: string): void {
  for (const path of ['', 'objects', 'objects/pack', 'refs', 'refs/heads'])
    createFolder(join(root, '.git', path));
  createFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  createFile(join(root, '.git/shallow'), `${base}\n`);
}

export interface ReceivedCopy {
  readonly edits: Edits;
  /** Adds the commits to the user's repository, as the branch of the run; nothing without git, and for a run that made none. */
  readonly addBranch: () => Promise<void>;
}

/**
 * Unpacks a copy that came back into the folder of the run, for the user's folder `cwd`.
 * @throws CollabError `input` if a pack is damaged, or if the run did not start in this repository
 */
export async function receiveCopy(
  bytes: Buffer,
  later: readonly LaterState[],
  { cwd, runFolder, runId, ...calls }: TravelOptions & { readonly cwd: string },
): Promise<ReceivedCopy> {
  const { record, base, head, packs } = openCopy(bytes, later, runId);
  const { branch } = record;
  const repository = branch === null ? null : await findRepository(cwd);
  if (repository === null && branch !== null) throw noRepository(cwd);
  const root = realPlace(repository?.root ?? cwd);
  if (repository !== null) await refuseWithoutHead(repository, head, calls);
  makeFolder(runFolder);
  const store = await openStore({ ...calls, path: storePath(runFolder), folder: root, repository });
  for (const one of packs) await addPack(store.onObjects, one, repository === null);
  writeCopyRecord(storePath(runFolder), record);
  return {
    edits: { root, branch, base, head: headOf(record) },
    async addBranch() {
      if (repository === null || branch === null || base.tree === headOf(record).tree) return;
      await inRepository(repository, calls, async (view) => {
        for (const one of packs) await addPack(view.inWorkTree, one, true);
        await placeBranch(view, branch, headOf(record).commit);
      });
    },
  };
}

async function refuseWithoutHead(
  repository: Repository,
  head: string | null,
  calls: OpenViewOptions,
): Promise<void> {
  if (head === null) return;
  await inRepository(repository, calls, async ({ inWorkTree }) => {
    if ((await inWorkTree(['cat-file', '-e', `${head}^{commit}`])).exitCode === 0) return;
    throw new CollabError(
      'input',
      `${repository.root} does not have the commit ${head}, from which the run started`,
      {
        hint: 'Fetch it first, or go to the repository that has it.',
        details: { commit: head },
      },
    );
  });
}

/** A branch that has the commits of the run, and others of the user, stays as it is. */
async function placeBranch(view: GitView, branch: string, commit: string): Promise<void> {
  const tip = await readBranch(view, branch);
  if (tip === null) return moveBranch(view, branch, commit);
  if (await isAncestor(view, commit, tip)) return;
  throw new CollabError('input', `The branch ${branch} has other commits than the run`, {
    hint: `Rename it first: git branch -m ${branch} <name>`,
  });
}

/** The name of a branch in a database is not trusted: only that of the run is used. */
function recordOf(first: CopyRecord, later: readonly LaterState[], runId: string): CopyRecord {
  const commits = later.flatMap(({ commit, tree }) => (commit === null ? [] : [{ commit, tree }]));
  const last = later.at(-1);
  return {
    ...first,
    branch: first.branch === null ? null : `collab/${runId}`,
    commits: [...first.commits, ...commits],
    ...(last === undefined ? {} : { tree: last.tree }),
  };
}

interface PackedCopy {
  readonly record: CopyRecord;
  /** The user's own commit at the start; null without git, and before the first commit. */
  readonly head: string | null;
  /** The rules of the repository; null without git. */
  readonly rules: ContentRules | null;
  readonly pack: Buffer;
}

const packedSchema = z.object({
  schema: z.literal('collab.copy/v1'),
  record: copyRecordSchema.extend({
    commits: z.array(z.object({ commit: objectIdSchema, tree: objectIdSchema })).length(1),
    tree: objectIdSchema.optional(),
  }),
  head: objectIdSchema.nullable(),
  rules: contentRulesSchema.nullable(),
});

/** One line of JSON, then the pack. */
function encodeCopy({ record, head, rules, pack }: PackedCopy): Buffer {
  const line = JSON.stringify({ schema: 'collab.copy/v1', record, head, rules });
  return Buffer.concat([Buffer.from(`${line}\n`), pack]);
}

function parseCopy(bytes: Buffer): PackedCopy {
  const end = bytes.indexOf('\n');
  try {
    const { record, head, rules } = packedSchema.parse(JSON.parse(bytes.subarray(0, end).toString('utf8')));
    return { record, head, rules, pack: bytes.subarray(end + 1) };
  } catch (cause) {
    throw new CollabError('input', 'The packed files of the run are damaged', {
      hint: 'Submit the run again.',
      cause,
    });
  }
}

interface OpenedCopy extends Pick<PackedCopy, 'record' | 'head' | 'rules'> {
  /** The state at the submission. */
  readonly base: CommittedTree;
  readonly packs: readonly Buffer[];
}

/** Reads a copy as its last state has it. @throws CollabError `input` */
function openCopy(bytes: Buffer, later: readonly LaterState[], runId: string): OpenedCopy {
  const { record: first, head, rules, pack } = parseCopy(bytes);
  const record = recordOf(first, later, runId);
  const [base = headOf(record)] = record.commits;
  return { record, base, head, rules, packs: [pack, ...later.map((state) => state.pack)] };
}

async function inRepository<Value>(
  repository: Repository,
  calls: OpenViewOptions,
  work: (view: GitView) => Promise<Value>,
): Promise<Value> {
  const view = await openGitView(repository, { ...calls, keepObjects: true });
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}

function noRepository(cwd: string): CollabError {
  return new CollabError('input', `${cwd} is not in a git repository, but the run started in one`, {
    hint: 'Go to a clone of that repository first.',
  });
}
