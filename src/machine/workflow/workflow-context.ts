/** The state of the workflow machine, and the functions that query it. All of it is JSON. */
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import type { Advice, LeadBrief, LeadMessage } from '../../prompts/lead/lead-message.ts';
import type { LeadWork } from '../../providers/contract/contract.ts';
import { readFixAnswers, type FixAnswer } from '../../parsers/answers/fix-answers.ts';
import { renderFixedFindings } from '../../prompts/lead/fix-order.ts';
import { phases, type Phase } from '../../tags/tags.ts';
import { pick } from '../../text/pick.ts';
import type { ExchangeInput, ExchangeOutput } from '../exchange/exchange-types.ts';
import type { LeadInput, LeadOutput } from '../lead/lead-types.ts';
import { phaseRequest } from '../../prompts/phases/phase-request.ts';
import { readLeadText, type LeadReading } from '../lead/read-lead-text.ts';
import type { ReviewInput } from '../review/review-machine.ts';
import type {
  CommitInput,
  GateInput,
  JudgeFixesInput,
  PhaseEnd,
  PhasePass,
  WorkflowEnd,
  WorkflowInput,
  WorkflowOutput,
} from './workflow-types.ts';

export interface WorkflowContext extends Omit<WorkflowOutput, 'end'> {
  readonly workflow: WorkflowInput;
  /** The number of times each phase was started. */
  readonly rounds: Readonly<Partial<Record<Phase, number>>>;
  /** The one session of the lead; null before its first turn. */
  readonly sessionId: string | null;
  /** The tree at the start of the run, and the current one in the lead's folder. */
  readonly base: string;
  readonly tree: string;
  /** The resulting trees of the implementation rounds, in order. */
  readonly implemented: readonly string[];
  /** The next message to the lead. */
  readonly message: LeadMessage;
  /** The user's reason for sending the last draft back, in the user's words; null if it was not sent back. */
  readonly objection: string | null;
  readonly end: WorkflowEnd | null;
  /** The lead's answers about the findings to fix. */
  readonly answers: readonly FixAnswer[];
  readonly pass: OpenPass;
}

/** The state of one pass through a phase; the next pass replaces it. */
export interface OpenPass {
  /** The input of its steps, which the records hold. */
  readonly at: PhasePass;
  /** The number of requests to the lead; names its steps. */
  readonly asked: number;
  /** The number of corrections of a missing or wrong request. */
  readonly corrections: number;
  readonly consults: number;
  readonly lead: LeadOutput | null;
  readonly reading: LeadReading;
  /** The lead's text under its tag. */
  readonly draft: string;
  readonly exchange: ExchangeOutput | null;
  readonly advice: Advice | null;
  /** Set at the end of the pass. */
  readonly result: string;
  /** The next pass; null at the end of the work. */
  readonly next: PhasePass | null;
}

export function openPass(at: PhasePass): OpenPass {
  return {
    at,
    asked: 0,
    corrections: 0,
    consults: 0,
    lead: null,
    reading: { kind: 'no_request' },
    draft: '',
    exchange: null,
    advice: null,
    result: '',
    next: null,
  };
}

/** Changes the current pass. */
export function inPass(
  { pass }: Pick<WorkflowContext, 'pass'>,
  changes: Partial<OpenPass>,
): Pick<WorkflowContext, 'pass'> {
  return { pass: { ...pass, ...changes } };
}

export function openContext(workflow: WorkflowInput): WorkflowContext {
  const [first] = workflow.skill.phases;
  if (first === undefined) throw new RangeError('a skill has at least one phase');
  return {
    workflow,
    rounds: { [first.phase]: 1 },
    sessionId: null,
    base: '',
    tree: '',
    implemented: [],
    message: { kind: 'again', filesRestored: false },
    objection: null,
    end: null,
    phases: [],
    settled: [],
    exchanges: [],
    reviews: [],
    leadTurns: [],
    withoutAdvice: [],
    committed: null,
    answers: [],
    fixes: [],
    applied: { kind: 'left' },
    pass: openPass({ phase: first.phase, round: 1 }),
  };
}

/** Returns a pass through the next phase of the skill; null after the last. */
export function passAfter({ workflow, pass, rounds }: WorkflowContext): PhasePass | null {
  const order = workflow.skill.phases.map(({ phase }) => phase);
  const following = order[order.indexOf(pass.at.phase) + 1];
  return following === undefined ? null : passThrough(following, rounds);
}

/** Returns another pass through a phase; the results of this phase and of later ones are open again. */
export function passThrough(phase: Phase, rounds: WorkflowContext['rounds']): PhasePass {
  return { phase, round: (rounds[phase] ?? 0) + 1 };
}

/** Returns the context at the start of the next pass. */
export function enter({ pass: { next }, rounds, settled }: WorkflowContext): Partial<WorkflowContext> {
  if (next === null) throw new Error('the work has ended');
  return {
    pass: openPass(next),
    rounds: { ...rounds, [next.phase]: next.round },
    settled: settled.filter(({ phase }) => phases.indexOf(phase) < phases.indexOf(next.phase)),
  };
}

export function leadInput(
  context: WorkflowContext,
  kind: Exclude<LeadWork['kind'], 'answer_back' | 'verify' | 'converse'>,
): LeadInput {
  const { pass, message, sessionId, tree, workflow } = context;
  return {
    path: `${pathOf(pass.at)}/${kind}-${pass.asked + 1}`,
    work: { kind, ...pass.at, access: kind === 'implement' ? 'edit' : 'read' },
    message,
    recap: { brief: briefOf(context), said: pass.lead?.text ?? '' },
    sessionId,
    tree,
    budgets: workflow.budgets,
  };
}

export function keepLead(context: WorkflowContext, output: LeadOutput): Partial<WorkflowContext> {
  const { leadTurns, pass } = context;
  const { text, sessionId, tree, turns } = output;
  const reading = output.reading ?? readingOf(text, pass.at.phase);
  return {
    ...inPass(context, {
      asked: pass.asked + 1,
      lead: output,
      reading,
      draft: reading.kind === 'request' ? reading.text : (text ?? ''),
    }),
    sessionId,
    tree,
    leadTurns: [...leadTurns, ...turns.map((turn) => ({ ...turn, ...pass.at }))],
    answers: answersAfter(context, text),
  };
}

/** A later answer replaces an earlier one about the same finding. */
function answersAfter({ workflow, answers }: WorkflowContext, text: string | null): readonly FixAnswer[] {
  const ids = (workflow.fix ?? []).map(({ id }) => id);
  const read = readFixAnswers(text ?? '', ids);
  const isReplaced = ({ id }: FixAnswer) => read.some((answer) => answer.id === id);
  return [...answers.filter((answer) => !isReplaced(answer)), ...read];
}

/** Returns the ids of the findings to fix that the lead has not answered. */
export function unansweredFixes({ workflow, answers }: WorkflowContext): readonly string[] {
  const known = new Set(answers.map(({ id }) => id));
  return (workflow.fix ?? []).map(({ id }) => id).filter((id) => !known.has(id));
}

/** Returns the findings that the lead did not refuse. */
export function fixesToReview({ workflow, answers }: WorkflowContext): readonly Finding[] {
  const refused = new Set(answers.flatMap(({ id, says }) => (says === 'refused' ? [id] : [])));
  return (workflow.fix ?? []).filter(({ id }) => !refused.has(id));
}

export function judgeInput(context: WorkflowContext): JudgeFixesInput {
  const { pass, tree, workflow, answers, reviews } = context;
  const reported = reviews.at(-1)?.output.merged.findings ?? [];
  return { ...pass.at, tree, chosen: workflow.fix ?? [], answers, reported };
}

function readingOf(text: string | null, phase: Phase): LeadReading {
  return text === null ? { kind: 'no_request' } : readLeadText(text, phase);
}

export function consultInput(context: WorkflowContext): ExchangeInput {
  const { pass, settled, workflow } = context;
  const path = `${pathOf(pass.at)}/consult-${pass.consults + 1}`;
  return {
    name: path.replaceAll('/', '-'),
    path,
    request: phaseRequest({
      phase: pass.at.phase,
      text: pass.draft,
      task: workflow.task,
      settled,
      sections: phaseOfSkill(context)?.sections ?? [],
      language: workflow.language,
    }),
    budgets: workflow.budgets,
  };
}

export function briefOf(context: WorkflowContext): LeadBrief {
  const { workflow, settled, committed } = context;
  return {
    task: workflow.task,
    template: phaseOfSkill(context)?.template ?? '',
    settled,
    manifest: committed?.manifest ?? null,
    language: workflow.language,
  };
}

/** Returns the skill's own text about the current phase. */
export function phaseOfSkill({ workflow, pass }: WorkflowContext) {
  return workflow.skill.phases.find(({ phase }) => phase === pass.at.phase);
}

export function keepExchange(context: WorkflowContext, output: ExchangeOutput): Partial<WorkflowContext> {
  const settled = output.outcome === 'settled';
  return {
    ...inPass(context, {
      exchange: output,
      advice: settled ? adviceOf(output) : null,
      consults: context.pass.consults + 1,
    }),
    exchanges: [...context.exchanges, output],
    withoutAdvice: settled ? context.withoutAdvice : [...context.withoutAdvice, output.name],
  };
}

function adviceOf({ block }: ExchangeOutput): Advice {
  return { sections: (block?.sections ?? []).map(({ name, text }) => ({ name, text })) };
}

export function phaseEnd({ pass: { at, result } }: WorkflowContext): PhaseEnd {
  return { ...at, result };
}

export function gateInput({ pass: { at, draft, advice } }: WorkflowContext): GateInput {
  return { ...at, draft, advice };
}

export function commitInput({ pass: { at, lead }, tree }: WorkflowContext): CommitInput {
  return { ...at, tree, text: lead?.text ?? '' };
}

export function reviewInput(context: WorkflowContext): ReviewInput {
  const { workflow, pass, base, implemented } = context;
  return {
    path: pathOf(pass.at),
    made: {
      task: workflow.task,
      words: pass.draft,
      ...(workflow.fix === null ? {} : { fixes: renderFixedFindings(fixesToReview(context)) }),
      sections: phaseOfSkill(context)?.sections ?? [],
      base,
      head: implemented.at(-1) ?? base,
      former: implemented.at(-2) ?? null,
    },
    ...pick(workflow, ['budgets', 'chunk_tokens', 'concurrency']),
    // The lead would judge its own work; it answers findings by fixing them (ADR 19).
    secondOpinion: { kind: 'off' },
    effort: 'quick',
  };
}

export function pathOf({ phase, round }: PhasePass): string {
  return `${phase}/${round}`;
}

/** Returns the number of consults left in this round of the implementation. */
export function consultsLeft({ workflow, pass }: WorkflowContext): number {
  return Math.max(0, workflow.skill.limits.consults - pass.consults - pass.corrections);
}

/**
 * Returns the critical findings of the last review, and those to fix that it reported again; the work cannot end while
 * there are any.
 */
export function openFindings({
  reviews,
  fixes,
}: Pick<WorkflowContext, 'reviews' | 'fixes'>): readonly Finding[] {
  const findings = reviews.at(-1)?.output.merged.findings ?? [];
  const again = new Set(fixes.flatMap(({ fate, now }) => (fate === 'still_there' ? [now] : [])));
  return findings.filter(
    (finding) => countsInOutcome(finding) && (finding.severity === 'critical' || again.has(finding.id)),
  );
}

/** Returns open findings that an earlier review already had: the fix did not help. */
export function findingsThatCameBack(
  context: Pick<WorkflowContext, 'reviews' | 'fixes'>,
): readonly Finding[] {
  const earlier = new Set(
    context.reviews
      .slice(0, -1)
      .flatMap(({ output }) => output.merged.findings.map(({ identity }) => identity)),
  );
  return openFindings(context).filter(({ identity }) => earlier.has(identity));
}

/** Returns the output of a cancelled run. */
export function cancelledOutput(context: WorkflowContext): WorkflowOutput {
  const end: WorkflowEnd = { code: 'cancelled', detail: 'the run was cancelled', failure: null };
  return workflowOutput({ ...context, end });
}

export function workflowOutput(context: WorkflowContext): WorkflowOutput {
  const { end } = context;
  if (end === null) throw new Error('the work has not ended');
  return { end, ...pick(context, outputFields) };
}

const outputFields = [
  'phases',
  'settled',
  'exchanges',
  'reviews',
  'leadTurns',
  'withoutAdvice',
  'committed',
  'fixes',
  'applied',
] as const satisfies readonly (keyof WorkflowOutput)[];
