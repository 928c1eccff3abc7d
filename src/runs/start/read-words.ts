/** Reads the task of a run and the brief of a consult: words of the request, or a file that it names. */
import { CollabError } from '../../errors/collab-error.ts';
import { checkSize, readTextInput } from './read-text-input.ts';
import type { StartPlace } from './start-place.ts';
import type { ConsultStart, WorkflowStart } from './start-request.ts';

/** Bytes of a task: far above what people write. */
const mostTaskBytes = 256 * 1024;
/** Bytes of a brief: far above what people write, below what an advisor takes. */
const mostBriefBytes = 512 * 1024;

/** @throws CollabError `usage`, `input` */
export async function readTask({ task, task_file: file }: WorkflowStart, place: StartPlace): Promise<string> {
  if (task !== undefined && file !== undefined) {
    throw new CollabError('usage', 'the command has two tasks', { hint: 'use either words or --task-file' });
  }
  if (file === undefined) return task ?? '';
  const what = 'the task';
  return readTextInput(place, { file, flag: '--task-file', what, mostBytes: mostTaskBytes });
}

/** @throws CollabError `usage`, `input` */
export async function readBrief({ brief, file }: ConsultStart, place: StartPlace): Promise<string> {
  if (brief !== undefined && file !== undefined) {
    throw new CollabError('usage', 'the brief is given twice', { hint: 'give it as words or as --file' });
  }
  const limit = { what: 'the brief', mostBytes: mostBriefBytes };
  return file === undefined ? checkSize(brief ?? '', limit) : readTextInput(place, { file, ...limit });
}
