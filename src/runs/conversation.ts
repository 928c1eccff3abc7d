/**
 * A conversation with the lead: what is said is a tree of messages on the disk (specification 003), what happens is a journal
 * beside it. A run of the protocol is none of its business; its result can be told to the lead.
 */
import { CollabError } from '../errors/collab-error.ts';
import type { CollabEvent, EventBody } from '../events/collab-event.ts';
import type { CallSetting } from '../loop/perform-call.ts';
import { runTypedLine, type TypedEnd } from '../loop/typed-line.ts';
import type { Clock } from '../process/clock.ts';
import {
  emptyHistory,
  getConversationThread,
  newMessageId,
  type ConversationHistory,
} from '../providers/history.ts';
import { appendMessage, editMessage, switchBranch, type NewMessage } from '../providers/history-edit.ts';
import { renderCommandResult } from '../prompts/conversation-prompt.ts';
import { createFences } from '../prompts/fence.ts';
import type { Answerer, AnswerEnd, LeadName } from './conversation-answers.ts';
import {
  readConversation,
  removeConversation,
  writeConversation,
  type ConversationFolder,
} from './conversation-store.ts';
import { fenceNonce, newFenceSeed } from './fence-nonce.ts';
import { masked } from './masked-call.ts';
import { openJournal, type Journal } from './journal.ts';
import { maskEvents, type MaskedEvents } from './mask-events.ts';
import { takeLock } from './run-lock.ts';

export interface ConversationOptions {
  readonly folder: ConversationFolder;
  /** It is there already, with what was said in it. */
  readonly resumed: boolean;
  readonly answerer: Answerer;
  readonly tools: Pick<CallSetting, 'tools' | 'policy'>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly onEvent: (event: CollabEvent) => void;
}

export interface Conversation {
  readonly id: string;
  history(): ConversationHistory;
  /** Says something and has it answered. An aborted answer stays in the tree as far as it came. */
  say(text: string, signal: AbortSignal): Promise<AnswerOutcome>;
  /** Says another text in place of a message, on a branch beside it; without a text the same message is answered again. */
  resend(messageId: string, text: string | null, signal: AbortSignal): Promise<AnswerOutcome>;
  /** Runs what a command of a tool asks for; the lead is told of it with the next message. */
  useTool(typed: string, signal: AbortSignal): Promise<TypedEnd>;
  /** Puts what a command printed into the conversation, for the lead to read. */
  tell(typed: string, printed: string): Promise<void>;
  switchTo(messageId: string): void;
  /** Resolves when everything that has happened until now was told to `onEvent`: a question comes after it. */
  told(): Promise<void>;
  /** Another one answers from now on; the one before is closed. */
  replaceAnswerer(answerer: Answerer): Promise<void>;
  close(): Promise<void>;
}

export type AnswerOutcome = AnswerEnd | { readonly kind: 'stopped' };

/** The caller closes it; the answerer goes with it. @throws CollabError `locked`, `input` for a corrupt history, `journal_corrupt` */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { folder, resumed, tools, clock, onEvent } = options;
  const past = resumed ? readConversation(folder) : null;
  const lock = await takeLock(folder.path).catch(refuseSecond);
  let { answerer } = options;
  let history = past === null ? newHistory() : { ...past, ...named(answerer.lead) };
  const fenceSeed = newFenceSeed();
  let turn = 0;
  let calls = 0;
  let told: MaskedEvents['drained'] | null = null;
  const journal = beginJournal(options);

  function newHistory(): ConversationHistory {
    return emptyHistory({
      conversationId: folder.id,
      title: '',
      ...named(answerer.lead),
      now: isoNow(clock),
    });
  }

  function change(next: ConversationHistory): void {
    writeConversation(folder, next);
    history = next;
  }

  function append(message: NewMessage): void {
    change(appendMessage(history, message, momentAt(clock)));
  }

  const emit = (body: EventBody): void => {
    if (body.type === 'turn.started') turn += 1;
    const { provider, model } = answerer.identity;
    const agent = { id: 'lead', role: 'lead', provider, ...(model === null ? {} : { model }) } as const;
    journal.append([{ body, turn, agent }]).forEach(onEvent);
  };

  function listen(): MaskedEvents {
    const events = maskEvents(emit);
    told = events.drained;
    return events;
  }

  async function hear(signal: AbortSignal): Promise<AnswerOutcome> {
    const events = listen();
    let partial = '';
    let keeping = Promise.resolve();
    try {
      const callId = nextCall();
      return await answerer.answer({
        thread: getConversationThread(history),
        callId,
        signal,
        emit(event) {
          if (event.type === 'turn.started') partial = '';
          if (event.type === 'text.delta') partial += event.text;
          events.emit(event);
        },
        keep(message) {
          if (message.role === 'assistant') partial = '';
          keeping = keeping.then(async () => append({ ...message, content: await masked(message.content) }));
        },
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      return { kind: 'stopped' };
    } finally {
      await events.drained();
      await keeping;
      if (signal.aborted && partial.trim() !== '') {
        append({ role: 'assistant', content: await masked(partial), status: 'aborted' });
      }
    }
  }

  function nextCall(): string {
    return `${folder.id}/${new Date(clock.now()).getTime()}-${(calls += 1)}`;
  }

  async function addSaid(text: string): Promise<void> {
    append({ role: 'user', content: await masked(text) });
    if (history.title === '') change({ ...history, title: titleOf(await masked(text)) });
  }

  return {
    id: folder.id,
    history: () => history,
    async say(text, signal) {
      await addSaid(text);
      return hear(signal);
    },
    async resend(messageId, text, signal) {
      if (text === null) change({ ...history, current_node: messageId });
      else {
        const content = await masked(text);
        const rootId = newMessageId(Math.random);
        change(editMessage(history, messageId, { content }, { ...momentAt(clock), rootId }));
      }
      return hear(signal);
    },
    async useTool(typed, signal) {
      const events = listen();
      try {
        const end = await runTypedLine(typed, nextCall(), {
          ...tools,
          clock,
          signal,
          emit: events.emit,
        });
        if (end.kind === 'ran') await tell(typed, end.outcome.content);
        return end;
      } finally {
        await events.drained();
      }
    },
    tell,
    told: async () => told?.(),
    switchTo: (messageId) => change(switchBranch(history, messageId)),
    async replaceAnswerer(next) {
      const before = answerer;
      answerer = next;
      change({ ...history, ...named(next.lead) });
      await before.close();
    },
    async close() {
      await answerer.close();
      journal.close();
      await lock.release();
      // Nothing was said.
      if (history.current_node === null) removeConversation(folder);
    },
  };

  /** The text is foreign: a file, a commit, the advisor's words. */
  function tell(typed: string, printed: string): Promise<void> {
    return addSaid(renderCommandResult(typed, printed, createFences(fenceNonce(fenceSeed, nextCall()))));
  }
}

function named({ provider, model }: LeadName): Pick<ConversationHistory, 'platform' | 'model'> {
  return { platform: provider, model: model ?? '' };
}

/** Of one who began in another process the journal goes on. */
function beginJournal({ folder, answerer, tools, cwd, clock }: ConversationOptions): Journal {
  const { provider, model } = answerer.identity;
  const agent = { id: 'lead', role: 'lead', provider } as const;
  const journal = openJournal({
    runFolder: folder.path,
    envelope: { runId: folder.id, conversationId: folder.id, tenantId: 'local', agent },
    clock,
  });
  if (journal.past.length > 0) return journal;
  const names = tools.tools.map(({ name }) => name);
  const started = {
    type: 'run.started',
    name: provider,
    ...(model === null ? {} : { model }),
    tools: names,
    cwd,
  } as const;
  journal.append([{ body: started, turn: 0 }]);
  return journal;
}

function refuseSecond(error: unknown): never {
  if (!(error instanceof CollabError) || error.code !== 'locked') throw error;
  throw new CollabError('locked', 'This conversation is open in another process', {
    hint: 'end it there, or begin another one: collab chat',
    cause: error,
  });
}

function momentAt(clock: Clock) {
  return { id: newMessageId(Math.random), now: isoNow(clock) };
}

function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Characters of a title. */
const longestTitle = 80;

function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}
