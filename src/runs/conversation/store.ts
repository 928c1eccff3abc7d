/**
 * Conversations as files: `.collab/conversations/<id>/history.json`, written atomically, with the previous state beside
 * it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { nearest } from '../../text/nearest.ts';
import type { Clock } from '../../system/clock.ts';
import type { ConversationHistory } from '../../providers/history/history.ts';
import { parseHistory } from '../../providers/history/history-integrity.ts';
import { makeHome, newRunId } from '../folder/run-folder.ts';
import { lookAt } from '../../system/files/fault.ts';
import { factsOf, readBytes, readText } from '../../system/files/read.ts';
import { createFolder } from '../../system/files/tree.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';

export interface ConversationFolder {
  readonly id: string;
  readonly path: string;
}

/** Creates a folder, mode 0700. @throws CollabError `input` */
export function createConversationFolder(home: string, clock: Clock): ConversationFolder {
  makeHome(home, 'conversations');
  const id = newRunId(clock);
  const path = join(home, 'conversations', id);
  createFolder(path);
  return { id, path };
}

/** Lists all conversations, also those without messages. */
export function allConversations(home: string): readonly ConversationFolder[] {
  const all = join(home, 'conversations');
  return lookAt(all)?.isDirectory() === true
    ? readdirSync(all).map((id) => ({ id, path: join(all, id) }))
    : [];
}

/** Lists the conversations with messages, the most recently changed first. */
export function listConversations(home: string): readonly ConversationFolder[] {
  return allConversations(home)
    .flatMap((folder) => {
      const facts = factsOf(historyFile(folder));
      return facts === null ? [] : [{ folder, changedAt: facts.mtimeMs }];
    })
    .toSorted((one, other) => other.changedAt - one.changedAt || (one.folder.id < other.folder.id ? 1 : -1))
    .map(({ folder }) => folder);
}

/** Finds a conversation by its id, or by the start or end of it; without one, the newest. @throws CollabError `input` */
export function findConversation(home: string, wanted: string | null): ConversationFolder {
  const all = listConversations(home);
  const [newest] = all;
  if (newest === undefined) {
    throw new CollabError('input', `There is no conversation in ${home}`, { hint: 'start one: collab chat' });
  }
  if (wanted === null) return newest;
  const fitting = all.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  const ids = (fitting.length > 0 ? fitting : all).map(({ id }) => id);
  if (fitting.length > 1) throw new CollabError('input', `${wanted} could be ${ids.join(' or ')}`);
  throw new CollabError(
    'input',
    `There is no conversation ${wanted}; the nearest is ${nearest(wanted, ids) ?? newest.id}`,
    { hint: 'list them with /history in collab chat' },
  );
}

/** @throws CollabError `input` for a corrupt one, with the path and the last good state */
export function readConversation(folder: ConversationFolder): ConversationHistory {
  const file = historyFile(folder);
  try {
    return parseHistory(JSON.parse(readText(file)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CollabError('input', `${file}: ${why}`, { hint: remedyFor(folder), cause: error });
  }
}

export function removeConversation({ path }: ConversationFolder): void {
  remove(path);
}

/** Writes the history; the previous state stays beside it until the next change. */
export function writeConversation(folder: ConversationFolder, history: ConversationHistory): void {
  const file = historyFile(folder);
  if (hasHistory(folder)) writeAtomically(earlierFile(folder), readBytes(file));
  writeAtomically(file, `${JSON.stringify(history, null, 2)}\n`);
}

/** Returns true if the conversation has messages. */
export function hasHistory(folder: ConversationFolder): boolean {
  return factsOf(historyFile(folder)) !== null;
}

function remedyFor(folder: ConversationFolder): string {
  const earlier = earlierFile(folder);
  if (factsOf(earlier) === null) return 'start a new conversation: collab chat';
  return `the state before the last change is kept: cp '${earlier}' '${historyFile(folder)}'`;
}

function historyFile({ path }: ConversationFolder): string {
  return join(path, 'history.json');
}

function earlierFile({ path }: ConversationFolder): string {
  return join(path, 'history.before.json');
}
