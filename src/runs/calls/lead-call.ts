/** Performs one turn of the lead as a durable step: its prompt, its answer, and the tree after it. */
import { z } from 'zod';
import type { EventAgent, EventBody } from '../../events/collab-event.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import type { KeptTree, LeadAskInput, LeadAskOutput } from '../../machine/lead/lead-types.ts';
import { readLeadTurn, type LeadTurnReading } from '../../machine/lead/read-lead-turn.ts';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import { isLong, maxAnswerBytes, unreadProblem } from '../../parsers/markdown/answer-size.ts';
import { aboutCallersAnswer, placeOfWork } from '../../prompts/lead/lead-message.ts';
import type { LeadMessage, LeadRecap } from '../../prompts/lead/lead-message.ts';
import { renderLeadMessage } from '../../prompts/lead/lead-prompt.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { sha256 } from '../../text/digest.ts';
import { closingNonce, fenceNonce } from './fence-nonce.ts';
import type { RunContext, StepAttempt, StepResult } from '../../engine/port.ts';
import type { Lead } from '../agents/lead-agent.ts';
import { reader, type Reader } from '../reading/reader.ts';
import { isRemembered, type AskOptions } from './advisor-call.ts';
import { makePaidCall, type CallTerms } from './paid-call.ts';
import type { RecalledVerdict, VerdictRecall } from '../cache/verdict-cache.ts';
import { limitsIn } from '../folder/run-settings.ts';
import { waitBeforeRepeat } from './retry-delay.ts';

type AskedLead = Pick<Lead, 'turn' | 'harvest'>;

export interface LeadCallOptions
  extends
    CallTerms,
    Pick<AskOptions, 'clock' | 'limits' | 'waitsMs' | 'fenceSeed' | 'introduce' | 'onRefusal'> {
  /** The agent to call: the lead, or an advisor in its place; null if the caller leads: its turns arrive through `collab answer`. */
  readonly lead: AskedLead | null;
  readonly leadAgent: EventAgent;
  /** `folder` null: it sees none of our files. */
  readonly copy: Pick<WorkingCopy, 'snapshot' | 'restore'> & { readonly folder: string | null };
  /** Keeps a new state of the copy with the records; null if it is too large. Default: the copy itself is kept. */
  readonly keep?: KeepState | undefined;
  /** Default: the reader of this process. */
  readonly reader?: Reader;
  /** The lead's verdicts from earlier runs; null if none are used. */
  readonly recall?: VerdictRecall | null;
}

export type KeepState = (
  attempt: Pick<StepAttempt, 'keep'>,
  state: Pick<KeptTree, 'tree' | 'commit'>,
) => Promise<KeptTree | null>;

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
  const prompt = promptOf(input.message, opensSession ? recap : null, { input, options });
  return context.child(path, async (scope) => {
    const name = `turn-${input.turn}`;
    const said = options.lead === null ? await hearCaller(scope, name, { input, options, prompt }) : null;
    const digest = { work, tree: input.tree, message: input.message.kind, prompt: sha256(prompt), said };
    return scope.step(name, digest, (attempt) => perform({ options, input, prompt, attempt }, said));
  });
}

/** Renders a message, secrets masked. `recap` null: for a session that knows the work, or learns of it from the message. */
function promptOf(
  message: LeadMessage,
  recap: LeadRecap | null,
  { input: { lead, turn }, options: { fenceSeed } }: Pick<LeadCall, 'input' | 'options'>,
): string {
  const nonce = fenceNonce(fenceSeed, `${lead.path}/turn-${turn}`);
  return masked(renderLeadMessage(message, { recap, nonce, closing: closingNonce(fenceSeed, lead) }));
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

async function perform(turn: LeadCall, said: string | null): Promise<StepResult<LeadAskOutput>> {
  const { options, input, prompt } = turn;
  if (input.wait !== null) await waitBeforeRepeat({ ...options, ...input.wait, signal: turn.attempt.signal });
  await options.introduce();
  const recalled = await recall(turn);
  if (recalled?.kind === 'answered') return answerFromCache(input, recalled);
  const begunAt = options.clock.now();
  const outcome = await outcomeOf(turn, said);
  const read = await readLong(
    readLeadTurn(outcome, input.spent, { ...input.lead.budgets, asked: askedRole(options) }),
    turn,
  );
  const { reading, ...state } = await settleTree(read, turn);
  const isLast = reading.action === 'exhausted' || reading.action === 'unavailable';
  const remember = isRemembered(outcome, isLast);
  if (!remember) options.onRefusal();
  return {
    value: {
      ...reading,
      sessionId: sessionAfter(outcome, input),
      ...state,
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

type LongReading = LeadTurnReading & Pick<LeadAskOutput, 'reading'>;

/** Reads the request in a long text now, in a thread: the machine would read it on the event loop. */
async function readLong(read: LeadTurnReading, { input, attempt, options }: LeadCall): Promise<LongReading> {
  const { kind, phase } = input.lead.work;
  const { text } = read;
  if (text === null || !isLong(text) || readElsewhere.has(kind)) return read;
  const asked = await (options.reader ?? reader).leadText(text, phase, attempt.signal);
  if (asked !== null) return { ...read, reading: asked };
  const detail = `the ${askedRole(options)}'s answer ${unreadProblem}`;
  return { ...read, action: 'exhausted', text: null, failure: { cause: 'protocol', detail, hint: null } };
}

/** Verdicts and answers to a reverse request have readers of their own, and a conversation has no request. */
const readElsewhere: ReadonlySet<string> = new Set(['verify', 'answer_back', 'converse']);

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

interface SettledTurn extends Pick<LeadAskOutput, 'tree' | 'kept'> {
  readonly reading: LongReading;
}

/**
 * Undoes the changes of a turn that did not finish, so that the next turn finds the tree that its prompt describes. A turn whose
 * changes cannot be kept did not finish.
 */
async function settleTree(reading: LongReading, { input, options, attempt }: LeadCall): Promise<SettledTurn> {
  const { copy, keep } = options;
  const { tree } = input;
  if (input.lead.work.access === 'read') return { reading, tree };
  if (reading.action === 'answered') {
    const made = await copy.snapshot();
    if (keep === undefined || made === tree) return { reading, tree: made };
    const kept = await keep(attempt, { tree: made, commit: null });
    if (kept !== null) return { reading, tree: made, kept };
  }
  await copy.restore(tree);
  return { reading: reading.action === 'answered' ? tooLarge(reading) : reading, tree };
}

function tooLarge(reading: LongReading): LongReading {
  const detail = 'the lead made more than a run takes along that another machine drives';
  return { ...reading, action: 'exhausted', text: null, failure: { cause: 'protocol', detail, hint: null } };
}

function sessionAfter(outcome: TurnOutcome, input: LeadAskInput): string | null {
  return 'sessionId' in outcome ? outcome.sessionId : input.sessionId;
}

/** The caller's text, or the lead's outcome. */
async function outcomeOf(turn: LeadCall, said: string | null): Promise<TurnOutcome> {
  const { lead } = turn.options;
  if (lead !== null) return uncountWhereGone(turn.input, await call(turn, lead));
  if (said === null) throw new Error('the caller is not called');
  emit(turn, { type: 'turn.started' });
  tell(turn, said);
  emit(turn, { type: 'turn.ended', stop_reason: null, usage: null });
  return { kind: 'answered', text: said, sessionId: null, usage: null, stopReason: null };
}

/** Emits a text that is known only as a whole. */
function tell(turn: LeadCall, text: string): void {
  const blockId = `${callName(turn)}/text`;
  emit(turn, { type: 'text.start', block_id: blockId, follow_up: false });
  emit(turn, { type: 'text.delta', block_id: blockId, text });
  emit(turn, { type: 'text.end', block_id: blockId, text });
}

/**
 * A repeated step starts with the tree that the first attempt started with. If the first turn died before its session was
 * kept, no session knows the work: then it starts from the beginning.
 */
function call(turn: LeadCall, lead: AskedLead): Promise<TurnOutcome> {
  const { attempt, input, options, prompt } = turn;
  const { copy } = options;
  const { work, message, sessionId } = input.lead;
  const edits = work.access === 'edit';
  return makePaidCall({
    terms: options,
    attempt,
    name: callName(turn),
    prompt,
    sessionId: input.sessionId,
    again: () => promptOf({ kind: 'again', filesRestored: edits }, null, turn),
    afresh: () => (sessionId === null ? promptOf(message, null, turn) : null),
    async harvest(lostSessionId, callId) {
      const found = await lead.harvest(lostSessionId, callId);
      // Its edits were made in the folder of an earlier drive.
      return found.kind === 'answered' && edits && options.keep !== undefined
        ? { kind: 'interrupted' }
        : found;
    },
    async turn(paid) {
      if (edits && attempt.number > 1) await copy.restore(input.tree);
      const limits = limitsIn(options.limits, work.phase);
      return lead.turn({ ...paid, limits, work: { ...work, folder: copy.folder } });
    },
    emit: (event) => emit(turn, event),
    onFound: (text) => tell(turn, text),
  });
}

/** Returns the prefix that the ids of all attempts of the call share. */
function callName({ input: { lead, turn }, options }: Pick<LeadCall, 'input' | 'options'>): string {
  return `${askedRole(options)}_${lead.path.replaceAll('/', '-')}/${turn}`;
}

function askedRole({ leadAgent }: Pick<LeadCallOptions, 'leadAgent'>): 'lead' | 'advisor' {
  return leadAgent.role === 'advisor' ? 'advisor' : 'lead';
}

function emit({ attempt, options }: LeadCall, event: EventBody): void {
  attempt.emit(event, { agent: options.leadAgent });
}
