/** Reads the server's lists: an answer without the fields that a reader relies on is rejected. */
import { hasFields, isRecord, type Fields } from './read-json.ts';
import type { ReviewResult } from './run-events.ts';
import type {
  ConversationDetail,
  ConversationList,
  ConversationSummary,
  OfferedAgent,
  OfferedBranches,
  Dismissals,
  RunDetail,
  RunSummary,
  ReaderSession,
} from './run-types.ts';

export function readConversations(value: unknown): ConversationList {
  if (!isRecord(value)) return unreadable('the list of conversations');
  const { conversations, next } = value;
  if (!isListOf(conversations, isConversation)) return unreadable('the list of conversations');
  return { conversations, hasMore: typeof next === 'string' };
}

export function fetchConversation(value: unknown): ConversationDetail {
  return isConversationDetail(value) ? value : unreadable('a conversation');
}

export function readRuns(value: unknown): readonly RunSummary[] {
  return isRecord(value) && isListOf(value['runs'], isRun) ? value['runs'] : unreadable('a list of runs');
}

export function readRun(value: unknown): RunDetail {
  if (!isRunDetail(value)) return unreadable('a run');
  return { ...value, result: isReviewResult(value.result) ? value.result : null };
}

export function readStarted(value: unknown): string {
  return isRecord(value) && typeof value['run_id'] === 'string' ? value['run_id'] : unreadable('a new run');
}

export function readAgents(value: unknown): readonly OfferedAgent[] {
  return isRecord(value) && isListOf(value['agents'], isAgent)
    ? value['agents']
    : unreadable('a list of agents');
}

export function readBranches(value: unknown): OfferedBranches {
  return isBranches(value) ? value : unreadable('a list of branches');
}

export function readDismissalList(value: unknown): Dismissals {
  if (!isRecord(value)) return unreadable('a list of dismissals');
  const { dismissals, open } = value;
  if (!isListOf(dismissals, isDismissal) || !isListOf(open, isText))
    return unreadable('a list of dismissals');
  return { dismissals, open };
}

export function readSession(value: unknown): ReaderSession {
  return isSession(value) ? value : unreadable('a session');
}

function unreadable(what: string): never {
  throw new Error(`the server's answer is not ${what}`);
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}

const conversation: Fields = { conversation_id: 'string', updated_at: 'string', can_continue: 'boolean' };
const run: Fields = { run_id: 'string', kind: 'string', state: 'string' };

function isConversation(value: unknown): value is ConversationSummary {
  return hasFields(value, conversation);
}

function isConversationDetail(value: unknown): value is ConversationDetail {
  return (
    isConversation(value) &&
    hasFields(value, { messages: 'array' }) &&
    isListOf(value['runs'], isRun) &&
    (value['context'] === null ||
      hasFields(value['context'], { usage_percent: 'number', warning_level: 'string' }))
  );
}

function isRun(value: unknown): value is RunSummary {
  return hasFields(value, run);
}

function isRunDetail(value: unknown): value is RunDetail {
  return isRun(value) && hasFields(value, { questions: 'array', last_seq: 'number' });
}

function isReviewResult(value: unknown): value is ReviewResult {
  return isRecord(value) && value['schema'] === 'collab.review/v1';
}

function isAgent(value: unknown): value is OfferedAgent {
  return hasFields(value, { provider: 'string', roles: 'array', ready: 'boolean' });
}

function isBranches(value: unknown): value is OfferedBranches {
  return hasFields(value, { branches: 'array', more: 'boolean' }) && isListOf(value['branches'], isText);
}

function isDismissal(value: unknown): value is Dismissals['dismissals'][number] {
  return hasFields(value, { finding: 'string', reason: 'string' });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSession(value: unknown): value is ReaderSession {
  return hasFields(value, { tenant: 'string', version: 'string' });
}
