/** Drives a turn of a conversation as a run: the user's message, and the lead's answer or a tool's output. */
import type { CallSetting } from '../../loop/perform-call.ts';
import type { Clock } from '../../system/clock.ts';
import { getConversationThread } from '../../providers/history/history.ts';
import { agentOf, startOf, type ConversationAnswerer } from './answerer.ts';
import { hasHistory, type ConversationFolder } from './store.ts';
import { openDialogue, type AnswerOutcome, type Dialogue } from './dialogue.ts';
import { tellTitle, withoutFolder } from '../continue-run.ts';
import type { DriveFolderOptions } from '../drive-options.ts';
import { performRun } from '../../engine/drive/perform-run.ts';
import type { Departure, StepAttempt, StepResult } from '../../engine/port.ts';
import { createDeadline } from '../calls/deadline.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import type { TurnInput } from './turn-input.ts';
import { keepMessages } from './turn-messages.ts';

export interface DriveTurnOptions extends DriveFolderOptions {
  readonly input: TurnInput;
  /** The caller holds its lock. */
  readonly conversation: ConversationFolder;
  readonly lead: TurnLead;
  /** Time limit of the turn, in milliseconds; null for none (X002-13). */
  readonly limitMs: number | null;
}

/** The answerer and its tools; closed with the drive. */
export interface TurnLead {
  readonly answerer: ConversationAnswerer;
  readonly tools: Pick<CallSetting, 'tools' | 'policy'>;
  /** Tools that exist but that this speaker may not use. */
  readonly withheld?: readonly Tool[];
}

/** The result of the user's message. */
type TurnEnd = Outcome & { readonly turns: number };

type Outcome =
  | { readonly status: 'success' | 'cancelled'; readonly text: string | null }
  | { readonly status: 'error'; readonly message: string };

/** @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `input` for a corrupt history */
export async function driveTurn(options: DriveTurnOptions): Promise<Departure<TurnEnd>> {
  const { runId, conversation, lead, input, clock } = options;
  const { identity } = lead.answerer;
  const begunAt = Date.parse(input.started_at);
  const cancelled = new AbortController();
  try {
    return await performRun<TurnEnd>({
      ...options,
      envelope: {
        runId,
        conversationId: options.where?.conversationId ?? conversation.id,
        tenantId: options.where?.tenantId ?? 'local',
        agent: agentOf(identity),
      },
      start: {
        ...withoutFolder(startOf(identity, lead.tools, input.cwd), options),
        session_id: conversation.id,
      },
      async body(context) {
        const { title, message_id: message } = input;
        const end = await context.step('answer', { message }, (attempt) =>
          perform(options, attempt, cancelled.signal),
        );
        if (title !== null && end.status === 'success') await tellTitle(context, title);
        return end;
      },
      settle: (end) => ({
        type: 'run.ended',
        status: end.status,
        outcome: null,
        reasons: [],
        result: end.status === 'error' ? null : end.text,
        errors: end.status === 'error' ? [end.message] : [],
        duration_ms: Math.max(0, Math.round(clock.now() - begunAt)),
        turns: end.turns,
      }),
      onCancel: () => cancelled.abort(new Error('cancelled')),
    });
  } finally {
    await lead.answerer.close();
  }
}

async function perform(
  options: DriveTurnOptions,
  attempt: StepAttempt,
  cancelled: AbortSignal,
): Promise<StepResult<TurnEnd>> {
  const { runFolder, conversation, lead, input, clock, limitMs } = options;
  const deadline = createDeadline(limitMs, clock);
  deadline.start();
  let turns = 0;
  const agent = agentOf(lead.answerer.identity);
  const bound = { type: 'session.bound', provider_session_id: conversation.id, resumable: true } as const;
  const silence = whenSilent(clock, () => attempt.emit(bound, { agent }));
  const dialogue = openDialogue({
    ...lead,
    folder: conversation,
    resumed: hasHistory(conversation),
    clock,
    emit(event, identity) {
      silence.end();
      if (event.type === 'turn.started') turns += 1;
      attempt.emit(event, { agent: agentOf(identity) });
    },
  });
  try {
    const signal = AbortSignal.any([attempt.signal, cancelled, deadline.signal]);
    const outcome = await (input.does === 'say' ? say : runTool)({ dialogue, input, attempt, signal });
    // An interrupted turn is not remembered: the next drive continues it.
    attempt.signal.throwIfAborted();
    const end = endOf(outcome, dialogue, deadline.signal.aborted ? limitMs : null);
    if (end.status === 'error' && deadline.signal.aborted) {
      attempt.emit({ type: 'error', kind: 'timeout', message: end.message, retryable: true });
    }
    keepMessages(runFolder, dialogue.history(), input.message_id);
    return { value: { ...end, turns } };
  } finally {
    silence.end();
    deadline.stop();
  }
}

/** Calls `tell` once if no event arrives for so long that a refusal by the model is no longer likely. */
function whenSilent(clock: Clock, tell: () => void): { end(): void } {
  const heard = new AbortController();
  clock.sleep(longestRefusalMs, heard.signal).then(tell, () => undefined);
  return { end: () => heard.abort() };
}

/** Less than the time to the first ping, which no stream has before its first event. */
const longestRefusalMs = 5000;

interface Doing {
  readonly dialogue: Dialogue;
  readonly input: TurnInput;
  readonly attempt: StepAttempt;
  readonly signal: AbortSignal;
}

async function say({ dialogue, input, signal }: Doing): Promise<AnswerOutcome> {
  const { text, message_id: id, attachments } = input;
  await dialogue.add({ text, id, ...(attachments.length === 0 ? {} : { attachments }) });
  return dialogue.answer(signal);
}

/** A tool that may have run before its process died does not run a second time. */
async function runTool({ dialogue, input, attempt, signal }: Doing): Promise<AnswerOutcome> {
  if (attempt.number > 1) return { kind: 'failed', message: 'the tool was interrupted', hint: null };
  try {
    const end = await dialogue.useTool(input.text, signal, input.message_id);
    if (end.kind !== 'refused') return { kind: 'answered' };
    attempt.emit({ type: 'error', kind: 'options', message: end.message, retryable: false });
    return { kind: 'failed', message: end.message, hint: null };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { kind: 'stopped' };
  }
}

function endOf(outcome: AnswerOutcome, dialogue: Dialogue, passedMs: number | null): Outcome {
  switch (outcome.kind) {
    case 'answered':
      return { status: 'success', text: lastText(dialogue) };
    case 'failed':
      return { status: 'error', message: outcome.message };
    case 'stopped':
      if (passedMs === null) return { status: 'cancelled', text: lastText(dialogue) };
      return { status: 'error', message: `The answer did not end within ${passedMs / 1000} s` };
  }
}

function lastText(dialogue: Dialogue): string | null {
  const last = getConversationThread(dialogue.history()).at(-1);
  return last?.role === 'assistant' ? last.content : null;
}
