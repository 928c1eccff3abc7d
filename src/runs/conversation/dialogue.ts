/** The messages of a conversation, a tree on the disk, and the events of its answerer. */
import type { EventBody } from '../../events/collab-event.ts';
import type { CallSetting } from '../../loop/perform-call.ts';
import { runTypedLine, type TypedEnd } from '../../loop/typed-line.ts';
import type { Clock } from '../../system/clock.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import {
  emptyHistory,
  getConversationThread,
  newMessageId,
  type ConversationHistory,
} from '../../providers/history/history.ts';
import {
  appendMessage,
  editMessage,
  switchBranch,
  type NewMessage,
} from '../../providers/history/history-edit.ts';
import { renderCommandResult } from '../../prompts/conversation/earlier-messages.ts';
import { abandonedCall } from '../../prompts/conversation/loop-notices.ts';
import { createFences } from '../../prompts/fence.ts';
import type { ConversationAnswerer, AnswerEnd, LeadName } from './answerer.ts';
import { readConversation, writeConversation, type ConversationFolder } from './store.ts';
import { fenceNonce, newFenceSeed } from '../calls/fence-nonce.ts';
import { boundText } from '../agents/bounded-turn.ts';
import { maskedMessage } from '../agents/masked-turn.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { maskEvents, type MaskedEvents } from '../../secrets/mask-events.ts';
import { stoppedProblem } from '../../parsers/markdown/answer-size.ts';
import { titleOf } from '../../text/title-of.ts';

export interface DialogueOptions {
  readonly folder: ConversationFolder;
  /** True if the conversation exists already, with its messages. */
  readonly resumed: boolean;
  readonly answerer: ConversationAnswerer;
  readonly tools: Pick<CallSetting, 'tools' | 'policy'>;
  readonly clock: Clock;
  /** Receives the events and the identity of the answerer. */
  readonly emit: (event: EventBody, identity: AgentIdentity) => void;
}

/** A message from the user. */
export interface UserMessage extends Pick<NewMessage, 'attachments'> {
  readonly text: string;
  /** If a message with this id exists already, nothing is added. */
  readonly id?: string;
}

export interface Dialogue {
  history(): ConversationHistory;
  /** Adds a message and has it answered. An aborted answer stays in the tree as far as it got. */
  say(text: string, signal: AbortSignal): Promise<AnswerOutcome>;
  /** Adds a message that is answered later. */
  add(said: UserMessage): Promise<void>;
  /** Has the last message answered, continuing an answer that was cut. */
  answer(signal: AbortSignal): Promise<AnswerOutcome>;
  /** Replaces a message's text on a new branch beside it; without a text, the same message is answered again. */
  resend(messageId: string, text: string | null, signal: AbortSignal): Promise<AnswerOutcome>;
  /** Runs a tool command; the lead sees the result with the next message, under this id. */
  useTool(typed: string, signal: AbortSignal, messageId?: string): Promise<TypedEnd>;
  /** Adds a command's output to the conversation, for the lead to read. */
  tell(typed: string, printed: string): Promise<void>;
  switchTo(messageId: string): void;
  /** Passes unfinished lines on to `emit`: a question is printed after them. */
  showRest(): void;
  /** Switches to another answerer and closes the previous one. */
  replaceAnswerer(answerer: ConversationAnswerer): Promise<void>;
  /** Closes the answerer. */
  close(): Promise<void>;
}

export type AnswerOutcome = AnswerEnd | { readonly kind: 'stopped' };

/**
 * Opens the dialogue for the holder of the folder's lock, who closes it. @throws CollabError `input` for a corrupt
 * history
 */
export function openDialogue(options: DialogueOptions): Dialogue {
  const { folder, resumed, tools, clock } = options;
  let { answerer } = options;
  let history = resumed ? { ...readConversation(folder), ...named(answerer.lead) } : newHistory();
  const fenceSeed = newFenceSeed();
  let calls = 0;
  let showRest: MaskedEvents['finish'] | null = null;

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

  const emit = (event: EventBody): void => options.emit(event, answerer.identity);

  function listen(): MaskedEvents {
    const events = maskEvents(emit);
    showRest = events.finish;
    return events;
  }

  async function hear(signal: AbortSignal): Promise<AnswerOutcome> {
    const events = listen();
    let partial = '';
    let isStopped = false;
    const bound = boundText({
      signal,
      emit(event) {
        if (event.type === 'turn.started') partial = '';
        if (event.type === 'text.delta') partial += event.text;
        events.emit(event);
      },
    });
    try {
      const answering = answerer.answer({
        thread: getConversationThread(history),
        callId: nextCall(),
        signal: bound.signal,
        emit: bound.emit,
        keep(message) {
          if (bound.stopReason() !== null) return;
          if (message.role === 'assistant') partial = '';
          append(maskedMessage(message));
        },
      });
      const end = await bound.unlessStopped(answering);
      if (end !== 'stopped') return end.kind === 'failed' ? { ...end, message: masked(end.message) } : end;
      isStopped = true;
      return {
        kind: 'failed',
        message: `the answer ${stoppedProblem(bound.stopReason()) ?? ''}`,
        hint: null,
      };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { kind: 'stopped' };
    } finally {
      events.finish();
      if ((signal.aborted || isStopped) && partial.trim() !== '') {
        append({ role: 'assistant', content: masked(partial), status: 'aborted' });
      }
    }
  }

  function nextCall(): string {
    return `${folder.id}/${new Date(clock.now()).getTime()}-${(calls += 1)}`;
  }

  async function addSaid({ text, id, attachments }: UserMessage): Promise<void> {
    if (id !== undefined && history.messages[id] !== undefined) return;
    const content = masked(text);
    const message = { role: 'user', content, ...(attachments === undefined ? {} : { attachments }) } as const;
    const place = { ...momentAt(clock), ...(id === undefined ? {} : { id }) };
    const next = appendMessage(history, message, place);
    change(next.title === '' ? { ...next, title: titleOf(content) } : next);
  }

  /**
   * Repairs an answer that a dead process left unfinished: a cut text is answered again, a call without a result gets
   * one.
   */
  function mendCutAnswer(): void {
    const last = history.current_node === null ? undefined : history.messages[history.current_node];
    if (last?.role !== 'assistant') return;
    if (last.status === 'aborted') change({ ...history, current_node: last.parent_id });
    for (const { tool_call_id } of last.tool_calls ?? []) {
      append({ role: 'tool', tool_call_id, content: abandonedCall, is_error: true });
    }
  }

  return {
    history: () => history,
    async say(text, signal) {
      await addSaid({ text });
      return hear(signal);
    },
    add: addSaid,
    answer(signal) {
      mendCutAnswer();
      return hear(signal);
    },
    async resend(messageId, text, signal) {
      if (text === null) change({ ...history, current_node: messageId });
      else {
        const content = masked(text);
        const rootId = newMessageId(Math.random);
        change(editMessage(history, messageId, { content }, { ...momentAt(clock), rootId }));
      }
      return hear(signal);
    },
    async useTool(typed, signal, messageId) {
      const events = listen();
      try {
        const end = await runTypedLine(typed, nextCall(), {
          ...tools,
          clock,
          signal,
          emit: events.emit,
        });
        if (end.kind === 'ran') await tell(typed, end.outcome.content, messageId);
        return end;
      } finally {
        events.finish();
      }
    },
    tell,
    showRest: () => showRest?.(),
    switchTo: (messageId) => change(switchBranch(history, messageId)),
    async replaceAnswerer(next) {
      const before = answerer;
      answerer = next;
      change({ ...history, ...named(next.lead) });
      await before.close();
    },
    close: () => answerer.close(),
  };

  /** Adds the output as foreign text: a file, a commit, the advisor's answer. */
  function tell(typed: string, printed: string, id?: string): Promise<void> {
    const text = renderCommandResult(typed, printed, createFences(fenceNonce(fenceSeed, nextCall())));
    return addSaid({ text, ...(id === undefined ? {} : { id }) });
  }
}

function named({ provider, model }: LeadName): Pick<ConversationHistory, 'platform' | 'model'> {
  return { platform: provider, model: model ?? '' };
}

function momentAt(clock: Clock) {
  return { id: newMessageId(Math.random), now: isoNow(clock) };
}

function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
