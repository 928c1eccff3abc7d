/** Performs one turn of the lead as a durable step: its prompt, its answer, and the tree after it. */
import { z } from 'zod';
import type { EventAgent, EventBody, Usage } from '../../events/collab-event.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import type { LeadAskInput, LeadAskOutput } from '../../machine/lead/lead-types.ts';
import { readLeadTurn } from '../../machine/lead/read-lead-turn.ts';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import type { Clock } from '../../system/clock.ts';
import { maxAnswerBytes } from '../../parsers/markdown/answer-size.ts';
import { aboutCallersAnswer, placeOfWork } from '../../prompts/lead/callers-turn.ts';
import { renderLeadMessage, type LeadRenderOptions } from '../../prompts/lead/lead-prompt.ts';
import { masked } from '../agents/masked-turn.ts';
import type { Budget } from './budget.ts';
import { callWithin } from './budgeted-call.ts';
import { sha256 } from '../../text/digest.ts';
import { fenceNonce } from './fence-nonce.ts';
import type { RunContext, StepAttempt, StepResult } from '../../engine/port.ts';
import type { Lead } from '../agents/lead-agent.ts';
import { isRemembered } from './advisor-call.ts';
import { recoverLostCall } from './lost-call.ts';
import type { RecalledVerdict, VerdictRecall } from '../cache/verdict-cache.ts';
import type { RunDeadline } from './deadline.ts';
import { limitsIn, type LimitSettings } from '../folder/run-settings.ts';
import { waitBeforeRepeat } from './retry-delay.ts';

type AskedLead = Pick<Lead, 'turn' | 'harvest'>;

export interface LeadCallOptions {
  /** The lead to call; null if the caller leads: its turns arrive through `collab answer`. */
  readonly lead: AskedLead | null;
  readonly leadAgent: EventAgent;
  /** `folder` null: it sees none of our files. */
  readonly copy: Pick<WorkingCopy, 'snapshot' | 'restore'> & { readonly folder: string | null };
  readonly clock: Clock;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  readonly limits: LimitSettings;
  /** Before the 1st, 2nd, 3rd repeat if the agent names no time itself; jitter is added. */
  readonly waitsMs: readonly number[];
  readonly fenceSeed: string;
  /** Reports once who takes part, before the first call. */
  readonly introduce: () => Promise<unknown>;
  /** Called when the turn ends with a refusal that is not remembered. */
  readonly onRefusal: () => void;
  /** The lead's verdicts from earlier runs; null if none are used. */
  readonly recall?: VerdictRecall | null;
  /** Aborted when the machine leaves the state that asks. */
  readonly actorSignal: AbortSignal;
}

interface LeadCall {
  readonly options: LeadCallOptions;
  readonly input: LeadAskInput;
  readonly prompt: string;
  readonly attempt: StepAttempt;
}

export async function askLead(
  context: RunContext,
  input: LeadAskInput,
  options: LeadCallOptions,
): Promise<LeadAskOutput> {
  const { work, path, recap } = input.lead;
  const opensSession = input.sessionId === null && options.lead !== null;
  const prompt = masked(
    renderLeadMessage(input.message, { recap: opensSession ? recap : null, nonce: nonceOf(input, options) }),
  );
  return context.child(path, async (scope) => {
    const name = `turn-${input.turn}`;
    const said = options.lead === null ? await hearCaller(scope, name, { input, options, prompt }) : null;
    const digest = { work, tree: input.tree, message: input.message.kind, prompt: sha256(prompt), said };
    return scope.step(name, digest, (attempt) => perform({ options, input, prompt, attempt }, said));
  });
}

function nonceOf({ lead, turn }: LeadAskInput, { fenceSeed }: LeadCallOptions): string {
  return fenceNonce(fenceSeed, `${lead.path}/turn-${turn}`);
}

/** Returns render options for a session that knows the work already, or learns of it from the message itself. */
function told({ input, options }: LeadCall): LeadRenderOptions {
  return { recap: null, nonce: nonceOf(input, options) };
}

/** The caller works in its own time; meanwhile the run is suspended, without a process. */
function hearCaller(
  scope: RunContext,
  name: string,
  { input, options, prompt }: Pick<LeadCall, 'input' | 'options' | 'prompt'>,
): Promise<string> {
  return scope.receive(name, {
    kind: 'lead_turn',
    text: `${prompt}${placeOfWork(options.copy.folder, input.lead.work.access === 'edit')}`,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: maxAnswerBytes,
      description: aboutCallersAnswer,
    },
    parse: (value) => z.string().min(1).max(maxAnswerBytes).parse(value),
  });
}

async function perform(call: LeadCall, said: string | null): Promise<StepResult<LeadAskOutput>> {
  const { options, input, prompt } = call;
  if (input.wait !== null) await waitBeforeRepeat({ ...options, ...input.wait, signal: call.attempt.signal });
  await options.introduce();
  const recalled = await recall(call);
  if (recalled?.kind === 'answered') return answerFromCache(input, recalled);
  const begunAt = options.clock.now();
  const outcome = said === null ? uncountWhereGone(input, await makeCall(call)) : heard(call, said);
  const reading = readLeadTurn(outcome, input.spent, input.lead.budgets);
  const isLast = reading.action === 'exhausted' || reading.action === 'unavailable';
  const remember = isRemembered(outcome, isLast);
  if (!remember) options.onRefusal();
  const answered = reading.action === 'answered';
  return {
    value: {
      ...reading,
      sessionId: sessionAfter(outcome, input),
      tree: await treeAfter(call, answered),
      record: {
        promptBytes: Buffer.byteLength(prompt),
        answerBytes: outcome.kind === 'answered' ? Buffer.byteLength(outcome.text) : 0,
        durationMs: Math.round(options.clock.now() - begunAt),
        usage: outcome.kind === 'answered' ? outcome.usage : null,
      },
      ...(recalled === null ? {} : { recalled }),
    },
    remember,
  };
}

/** Searches the cache. A call that may have been paid for is looked up at the agent instead. */
async function recall({ options, input, attempt }: LeadCall): Promise<RecalledVerdict | null> {
  return attempt.lostSessionId === null ? ((await options.recall?.find(input)) ?? null) : null;
}

function answerFromCache(
  { sessionId, tree, spent }: LeadAskInput,
  { text, ...recalled }: Extract<RecalledVerdict, { kind: 'answered' }>,
): StepResult<LeadAskOutput> {
  const record = { promptBytes: 0, answerBytes: Buffer.byteLength(text), durationMs: 0, usage: null };
  const nothingWrong = { failure: null, retryAfterMs: null };
  return { value: { action: 'answered', text, ...nothingWrong, sessionId, tree, spent, record, recalled } };
}

/** A session that is gone received no question: the next attempt opens a new one and does not count as a repeat. */
function uncountWhereGone({ sessionId }: LeadAskInput, outcome: TurnOutcome): TurnOutcome {
  const gone = outcome.kind === 'cut' && outcome.sessionId === null && sessionId !== null;
  return gone ? { ...outcome, uncounted: true } : outcome;
}

/** Undoes the changes of a turn that did not finish, so that the next turn finds the tree that its prompt describes. */
async function treeAfter({ input, options: { copy } }: LeadCall, answered: boolean): Promise<string> {
  if (input.lead.work.access === 'read') return input.tree;
  if (answered) return copy.snapshot();
  await copy.restore(input.tree);
  return input.tree;
}

function sessionAfter(outcome: TurnOutcome, input: LeadAskInput): string | null {
  return 'sessionId' in outcome ? outcome.sessionId : input.sessionId;
}

/** Emits the caller's text as events, the same as an agent's. */
function heard(call: LeadCall, text: string): TurnOutcome {
  emit(call, { type: 'turn.started' });
  tell(call, text, null);
  return { kind: 'answered', text, sessionId: null, usage: null, stopReason: null };
}

/**
 * Emits a text that is known only as a whole. For a call that was lost and found again, it emits the end: the start is
 * recorded already.
 */
function tell(call: LeadCall, text: string, usage: Usage | null): void {
  const blockId = `${callName(call.input)}/text`;
  const said: readonly EventBody[] = [
    { type: 'text.start', block_id: blockId, follow_up: false },
    { type: 'text.delta', block_id: blockId, text },
    { type: 'text.end', block_id: blockId, text },
    { type: 'turn.ended', stop_reason: null, usage },
  ];
  for (const event of said) emit(call, event);
}

async function makeCall(call: LeadCall): Promise<TurnOutcome> {
  const { attempt, input, options } = call;
  const { lead, deadline } = options;
  if (lead === null) throw new Error('the caller is not called');
  if (deadline.signal.aborted) return deadline.refusal();
  const lost = await recoverLostCall(attempt, (sessionId) => lead.harvest(sessionId, callName(input)));
  switch (lost?.kind) {
    case 'ended':
      if (lost.result.kind === 'answered') tell(call, lost.result.text, lost.result.usage);
      return lost.result;
    case 'afresh':
      return startAfresh(call, lead, call.prompt, input.sessionId);
    case 'go_on': {
      const filesRestored = input.lead.work.access === 'edit';
      const again = renderLeadMessage({ kind: 'again', filesRestored }, told(call));
      return startAfresh(call, lead, again, lost.sessionId);
    }
    default:
      return startOrAfresh(call, lead);
  }
}

/** Starts from the beginning if the first turn died before its session was kept, because no session knows the work. */
async function startOrAfresh(call: LeadCall, lead: AskedLead): Promise<TurnOutcome> {
  const { input, prompt } = call;
  const outcome = await startAfresh(call, lead, prompt, input.sessionId);
  const gone = outcome.kind === 'cut' && outcome.sessionId === null && input.sessionId !== null;
  if (!gone || input.lead.sessionId !== null) return outcome;
  return startAfresh(call, lead, renderLeadMessage(input.lead.message, told(call)), null);
}

/** A repeated step starts with the tree that the first attempt started with. */
async function startAfresh(
  call: LeadCall,
  lead: AskedLead,
  prompt: string,
  sessionId: string | null,
): Promise<TurnOutcome> {
  const { attempt, input, options } = call;
  const { copy, deadline, budget, actorSignal } = options;
  if (input.lead.work.access === 'edit' && attempt.number > 1) await copy.restore(input.tree);
  try {
    return await callWithin(budget, { prompt, emit: (event) => emit(call, event) }, (heardEvent) =>
      lead.turn({
        prompt,
        callId: `${callName(input)}/${attempt.number}`,
        sessionId,
        signal: AbortSignal.any([attempt.signal, actorSignal, deadline.signal]),
        limits: limitsIn(options.limits, input.lead.work.phase),
        emit: heardEvent,
        bind: (boundSessionId) => attempt.bind(boundSessionId),
        work: { ...input.lead.work, folder: copy.folder },
      }),
    );
  } catch (error) {
    const ours = attempt.signal.aborted || actorSignal.aborted;
    if (!ours && deadline.signal.aborted) return deadline.ended();
    throw error;
  }
}

/** Returns the prefix that the ids of all attempts of the call share. */
function callName({ lead, turn }: LeadAskInput): string {
  return `lead_${lead.path.replaceAll('/', '-')}/${turn}`;
}

function emit({ attempt, options }: LeadCall, event: EventBody): void {
  attempt.emit(event, { agent: options.leadAgent });
}
