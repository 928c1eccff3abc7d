/** The state of a run, for readers that do not drive it. */
import { CollabError, type ErrorCode } from '../../errors/collab-error.ts';
import type { CollabEventOf } from '../../events/collab-event.ts';
import type { RunStatus } from '../../engine/port.ts';
import type { RunEnded } from '../../engine/drive/other-process.ts';
import { createMemory, openSteps, waitingQuestions, type RunMemory } from '../../engine/drive/run-state.ts';
import { embeddedStore } from '../../engine/store/embedded-store.ts';
import type { EngineStore } from '../../engine/store/engine-store.ts';
import { lookAt } from '../../system/files/fault.ts';
import { resultState } from './result-file.ts';
import { resultFile } from './run-folder.ts';
import { inputIfReadable } from './run-title.ts';

export interface RunStanding {
  readonly state: RunStatus;
  /** All questions of the run with their answers, by name. */
  readonly questions: RunMemory['questions'];
  /** The questions that wait for an answer, in the order they were asked; none for a run that has ended. */
  readonly open: readonly CollabEventOf<'question.asked'>[];
  /** The last record of a run that has ended; null if it has none. */
  readonly ended: RunEnded | null;
}

/** Reads all records once. @throws CollabError `run_not_found`, `journal_corrupt`, `journal_version` */
export async function readStanding(
  runFolder: string,
  store: EngineStore = embeddedStore,
): Promise<RunStanding> {
  const memory = await store.recall(runFolder).catch((error: unknown) => neverDriven(runFolder, error));
  const { questions, ended } = memory;
  const open = ended === null ? waitingQuestions(memory).map(({ asked }) => asked) : [];
  const state =
    ended === null ? await stateSoFar(runFolder, memory, store) : await stateAtEnd(runFolder, store);
  return { state, questions, open, ended };
}

/** Returns the state alone. @throws CollabError as `readStanding` */
export async function standing(runFolder: string, store?: EngineStore): Promise<RunStatus> {
  return (await readStanding(runFolder, store)).state;
}

/** A run exists as soon as its folder does; its first record is written by the first drive. */
function neverDriven(runFolder: string, error: unknown): RunMemory {
  const isNew = error instanceof CollabError && error.code === 'run_not_found' && lookAt(runFolder) !== null;
  if (!isNew) throw error;
  return createMemory();
}

/** A run that ended with a refusal (no login, no time left) has no last record, so that a later start can do better. */
async function stateSoFar(runFolder: string, memory: RunMemory, store: EngineStore): Promise<RunStatus> {
  if (await store.isOwned(runFolder)) return 'running';
  if (openSteps(memory).length === 0 && waitingQuestions(memory).length > 0) return 'waiting';
  return resultState(runFolder) === 'ended' ? 'ended' : 'interrupted';
}

/** A process that died between the last record and the result leaves the result to the next process. */
async function stateAtEnd(runFolder: string, store: EngineStore): Promise<RunStatus> {
  if (resultState(runFolder) === 'ended' || !leavesResult(runFolder)) return 'ended';
  if (await store.isOwned(runFolder)) return 'running';
  return resultState(runFolder) === 'ended' ? 'ended' : 'interrupted';
}

/** Returns false for a turn of a conversation, whose records hold everything. */
export function leavesResult(runFolder: string): boolean {
  return lookAt(resultFile(runFolder)) !== null || inputIfReadable(runFolder) !== null;
}

/**
 * Returns true if `error` means that the files of one run are unreadable. A list then reports that run and still shows
 * the others.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CollabError && unreadable.includes(error.code);
}

const unreadable: readonly ErrorCode[] = [
  'journal_corrupt',
  'journal_version',
  'result_file',
  'input',
  'file',
];
