/**
 * The second opinion on one finding, or on several at once: the lead is asked, or the advisor in a fresh thread; the
 * verdicts are checked against the files, and unreadable ones are requested once more.
 */
import { assign, setup } from 'xstate';
import { notProvided, withOutput } from '../chart.ts';
import type { Budgets } from '../../config/repair-budgets.ts';
import type {
  FilesOfLead,
  FindingChecker,
  FindingToVerify,
  VerdictProblem,
} from '../../prompts/lead/lead-message.ts';
import type { Judgement } from '../../review/findings/judge-verdict.ts';
import { leadMachine } from '../lead/lead-machine.ts';
import type { LeadFailure, LeadInput, LeadOutput, LeadRecalled, LeadTurnRecord } from '../lead/lead-types.ts';

export interface VerifyInput {
  /** Unique in the run: `verify-F2`. */
  readonly name: string;
  /** The path of its steps: `review/verify-F2`. */
  readonly path: string;
  readonly findings: readonly FindingToVerify[];
  readonly by: FindingChecker;
  readonly refutes: boolean;
  readonly reads: FilesOfLead;
  /** BCP 47; null leaves it to the lead. */
  readonly language: string | null;
  readonly budgets: Pick<Budgets, 'waiting'>;
}

export interface JudgeInput {
  readonly path: string;
  /** 1 for the first request. */
  readonly number: number;
  readonly findings: VerifyInput['findings'];
  readonly by: FindingChecker;
  /** The lead's answer. */
  readonly text: string;
  /** The earlier run that the answer comes from, or the reason for not using a stored answer. */
  readonly recalled: LeadRecalled | null;
  /** True if no further request follows: an answer that cannot be read now stays unverified. */
  readonly last: boolean;
}

export interface JudgeOutput {
  readonly judgements: readonly Judgement[];
  readonly unreadable: readonly VerdictProblem[];
}

export interface VerifyOutput extends Pick<VerifyInput, 'name' | 'by'> {
  readonly judgements: readonly Judgement[];
  /** The findings without a verdict, and the reason. */
  readonly missing: { readonly ids: readonly string[]; readonly failure: LeadFailure } | null;
  readonly turns: readonly LeadTurnRecord[];
}

export interface VerifyContext {
  readonly verify: VerifyInput;
  /** The number of requests. */
  readonly asked: number;
  readonly lead: LeadOutput | null;
  readonly judgements: readonly Judgement[];
  readonly unreadable: readonly VerdictProblem[];
  readonly turns: readonly LeadTurnRecord[];
}

/** The first request, and one more for unreadable answers. */
const askingLimit = 2;

export const verifyMachine = setup({
  types: { context: {} as VerifyContext, input: {} as VerifyInput, output: {} as VerifyOutput },
  actors: {
    lead: leadMachine,
    judge: notProvided<JudgeOutput, JudgeInput>('judge'),
  },
  guards: {
    'the lead answered': (_, { output }: { readonly output: LeadOutput }) => output.outcome === 'answered',
    'something is to be asked again': (_, { output }: { readonly output: JudgeOutput }) =>
      output.unreadable.length > 0,
  },
  actions: {
    'keep what the lead says': assign(({ context }, { output }: { readonly output: LeadOutput }) => ({
      lead: output,
      asked: context.asked + 1,
      turns: [...context.turns, ...output.turns],
    })),
    'keep the judgements': assign(({ context }, { output }: { readonly output: JudgeOutput }) => ({
      judgements: [...context.judgements, ...output.judgements],
      unreadable: output.unreadable,
    })),
  },
}).createMachine({
  id: 'verify',
  context: ({ input }) => ({
    verify: input,
    asked: 0,
    lead: null,
    judgements: [],
    unreadable: [],
    turns: [],
  }),
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        id: 'asking',
        src: 'lead',
        input: ({ context }) => leadInput(context),
        onDone: [
          {
            guard: withOutput('the lead answered'),
            target: 'judging',
            actions: withOutput('keep what the lead says'),
          },
          {
            target: 'settled',
            actions: withOutput('keep what the lead says'),
          },
        ],
      },
    },
    judging: {
      invoke: {
        id: 'judging',
        src: 'judge',
        input: ({ context }) => judgeInput(context),
        onDone: [
          {
            guard: withOutput('something is to be asked again'),
            target: 'asking',
            actions: withOutput('keep the judgements'),
          },
          {
            target: 'settled',
            actions: withOutput('keep the judgements'),
          },
        ],
      },
    },
    settled: { type: 'final' },
  },
  output: ({ context }) => verifyOutput(context),
});

/** Returns the path of one request. `path` is that of the whole; `number` is 1 for the first request. */
export function askingPath(path: string, number: number): string {
  return `${path}/ask-${number}`;
}

/** Each request has its own path; the second continues the session of the first. */
function leadInput(context: VerifyContext): LeadInput {
  const { verify, asked, lead, unreadable } = context;
  return {
    path: askingPath(verify.path, asked + 1),
    work: { kind: 'verify', phase: 'review', round: 1, access: 'read' },
    // Always the whole text: the session may be gone by now.
    message: {
      kind: 'verify',
      findings: openFindings(context),
      by: verify.by,
      refutes: verify.refutes,
      reads: verify.reads,
      language: verify.language,
      problems: unreadable,
    },
    recap: null,
    sessionId: lead?.sessionId ?? null,
    tree: '',
    budgets: verify.budgets,
  };
}

function judgeInput(context: VerifyContext): JudgeInput {
  const { verify, asked, lead } = context;
  return {
    path: verify.path,
    number: asked,
    findings: openFindings(context),
    by: verify.by,
    text: lead?.text ?? '',
    recalled: lead?.recalled ?? null,
    last: asked >= askingLimit,
  };
}

function openFindings({ verify, judgements }: VerifyContext): readonly FindingToVerify[] {
  const judged = new Set(judgements.map(({ id }) => id));
  return verify.findings.filter(({ finding }) => !judged.has(finding.id));
}

function verifyOutput(context: VerifyContext): VerifyOutput {
  const { verify, judgements, lead, turns } = context;
  const ids = openFindings(context).map(({ finding }) => finding.id);
  const missing = ids.length === 0 ? null : { ids, failure: lead?.failure ?? noVerdict(verify) };
  return { name: verify.name, by: verify.by, judgements, missing, turns };
}

function noVerdict({ by }: VerifyInput): LeadFailure {
  return { cause: 'protocol', detail: `the ${by} gave no verdict`, hint: null };
}
