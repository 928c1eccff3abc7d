/** Packs of git with the objects of a working copy, for a machine that does not have them. */
import { CollabError } from '../../errors/collab-error.ts';
import type { GitView, RunInView } from '../repository/git-view.ts';
import { gitWords } from '../repository/run-git.ts';
import { headOf, type CopyRecord } from './record.ts';

/** Bytes of a pack: a database stores it, and a process that makes or reads it has it in memory. */
export const mostPackBytes = 64 * 1024 * 1024;
/** A turn is one statement of the database, in which a process must not be silent for long. */
const mostTurnBytes = 16 * 1024 * 1024;

/** Packs the first state of a copy, without the history before it. Returns null if it has more than `mostBytes`. */
export async function packFirst(
  store: GitView,
  record: CopyRecord,
  mostBytes: number,
): Promise<Buffer | null> {
  const { commit, tree } = headOf(record);
  return packObjects(store, ['--no-walk=unsorted', commit, tree], mostBytes);
}

/**
 * Packs the newest commit with its state, or the tree of a later state, without the objects of the commits before. Returns null
 * if it is too large.
 */
export async function packNew(store: GitView, record: CopyRecord, state: string): Promise<Buffer | null> {
  const { commit, tree } = headOf(record);
  const isCommit = state === commit;
  const known = isCommit ? record.commits.slice(0, -1) : record.commits;
  const wanted = isCommit ? [commit, tree] : [state];
  const left = known.flatMap((one) => [`^${one.commit}`, `^${one.commit}^{tree}`, `^${one.tree}`]);
  return packObjects(store, [...wanted, ...left], isCommit ? mostPackBytes : mostTurnBytes);
}

async function packObjects(
  { onObjects }: GitView,
  names: readonly string[],
  mostBytes: number,
): Promise<Buffer | null> {
  const listed = await onObjects(['rev-list', '--objects', ...names]);
  if (listed.exitCode !== 0) throw refusal('rev-list', gitWords(listed));
  const input = Buffer.from(listed.stdout.toString('latin1').replaceAll(/ .*$/gm, ''));
  const packed = await onObjects(['pack-objects', '--stdout', '-q'], { input, maxOutputBytes: mostBytes });
  if (packed.truncated) return null;
  if (packed.exitCode !== 0) throw refusal('pack-objects', gitWords(packed));
  return packed.stdout;
}

/**
 * Adds the objects of a pack; those that are there stay. `strict`: git checks each object, except for harmless defects of old
 * ones, and that all objects that it names are there.
 * @throws CollabError `input` if the pack is damaged
 */
export async function addPack(run: RunInView, pack: Buffer, strict: boolean): Promise<void> {
  const result = await run(['unpack-objects', '-q', ...(strict ? [strictly] : [])], { input: pack });
  if (result.exitCode !== 0) throw refusal('unpack-objects', gitWords(result));
}

/** Defects of old histories that change no path and no content, and cannot be repaired without new commits. */
const harmless = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode'];
const strictly = `--strict=${harmless.map((defect) => `${defect}=ignore`).join(',')}`;

function refusal(command: string, words: string): CollabError {
  return new CollabError(
    'input',
    `The files of the run cannot be packed or unpacked: git ${command}: ${words}`,
  );
}
