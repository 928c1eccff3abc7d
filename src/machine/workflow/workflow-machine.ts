/**
 * The pair at work: requirements, design, implementation and review, the last two in turns until no Critical finding is
 * left. Read `states` top to bottom: the lead drafts and asks, the advisor answers, the user, the caller or the policy
 * decides at the gate, and the lead settles the phase; the implementation consults when needed, and the review sends it
 * back or approves it.
 */
import { assign, setup } from 'xstate';
import { notProvided, withOutput } from '../chart.ts';
import type { JudgedFix } from '../../review/findings/judge-fixes.ts';
import type { Phase } from '../../tags/tags.ts';
import { exchangeMachine } from '../exchange/exchange-machine.ts';
import type { ExchangeOutput } from '../exchange/exchange-types.ts';
import { leadMachine } from '../lead/lead-machine.ts';
import type { LeadOutput } from '../lead/lead-types.ts';
import { reviewMachine, type ReviewOutput } from '../review/review-machine.ts';
import {
  commitInput,
  consultInput,
  consultsLeft,
  enter,
  gateInput,
  inPass,
  keepExchange,
  judgeInput,
  keepLead,
  leadInput,
  openContext,
  passAfter,
  phaseEnd,
  reviewInput,
  unansweredFixes,
  workflowOutput,
  type WorkflowContext,
} from './workflow-context.ts';
import {
  commitNothing,
  goOn,
  judgeReview,
  reviseFrom,
  settlePhase,
  stopAtGate,
  stopWithoutAdvice,
  stopWithoutLead,
} from './workflow-endings.ts';
import {
  adviceMessage,
  correctionMessage,
  draftMessage,
  implementMessage,
  settleMessage,
  spentMessage,
  unansweredMessage,
} from './workflow-messages.ts';
import type {
  ApplyResult,
  CommitInput,
  CommittedWork,
  GateDecision,
  GateInput,
  JudgeFixesInput,
  PhaseEnd,
  PhasePass,
  WorkflowInput,
  WorkflowOutput,
} from './workflow-types.ts';

/** The number of times per pass that a missing or wrong request of the lead is corrected. */
const correctionLimit = 2;

export const workflowMachine = setup({
  types: {
    context: {} as WorkflowContext,
    input: {} as WorkflowInput,
    output: {} as WorkflowOutput,
  },
  actors: {
    open: notProvided<string>('open'),
    'begin the phase': notProvided<null, PhasePass>('begin the phase'),
    'end the phase': notProvided<null, PhaseEnd>('end the phase'),
    gate: notProvided<GateDecision, GateInput>('gate'),
    commit: notProvided<CommittedWork, CommitInput>('commit'),
    'judge the fixes': notProvided<readonly JudgedFix[], JudgeFixesInput>('judge the fixes'),
    apply: notProvided<ApplyResult, CommittedWork>('apply'),
    lead: leadMachine,
    exchange: exchangeMachine,
    review: reviewMachine,
  },
  guards: {
    'the phase is': ({ context }, params: { readonly phase: Phase }) =>
      context.pass.at.phase === params.phase,
    'the lead failed': ({ context }) => context.pass.lead?.outcome !== 'answered',
    'the lead asks': ({ context }) => context.pass.reading.kind === 'request',
    'the lead may consult': ({ context }) =>
      context.pass.reading.kind === 'request' && consultsLeft(context) > 0,
    'the lead consults in another phase': ({ context }) =>
      context.pass.reading.kind === 'wrong_request' && consultsLeft(context) > 0,
    'the lead asks once too often': ({ context }) =>
      context.pass.reading.kind !== 'no_request' && context.pass.corrections < correctionLimit,
    'a finding is unanswered': ({ context }) =>
      unansweredFixes(context).length > 0 && context.pass.corrections < correctionLimit,
    'it fixes findings': ({ context }) => context.workflow.fix !== null,
    'it may be put right': ({ context }) => context.pass.corrections < correctionLimit,
    'the advisor failed': ({ context }) =>
      context.pass.advice === null && context.workflow.on_advisor_failure === 'stop',
    'nothing differs from the base': (_, params: { readonly output: CommittedWork }) =>
      params.output.manifest === '',
    'the gate says': (
      _,
      params: { readonly said: GateDecision['kind']; readonly wanted: GateDecision['kind'] },
    ) => params.said === params.wanted,
    'the work continues': ({ context }) => context.pass.next !== null,
    'there is something to apply': ({ context }) =>
      context.end?.code === 'done' && context.committed !== null,
  },
  actions: {
    'keep the tree': assign((_, { output }: { readonly output: string }) => ({ base: output, tree: output })),
    'tell the lead to draft': assign(({ context }) => ({ message: draftMessage(context) })),
    'tell the lead to implement': assign(({ context }) => ({ message: implementMessage(context) })),
    'tell the lead what is wrong': assign(({ context }) => ({
      message: correctionMessage(context),
      ...inPass(context, { corrections: context.pass.corrections + 1 }),
    })),
    'tell the lead that no consult is left': assign(({ context }) => ({
      message: spentMessage(context),
      ...inPass(context, { corrections: context.pass.corrections + 1 }),
    })),
    'ask the lead about every finding': assign(({ context }) => ({
      message: unansweredMessage(context),
      ...inPass(context, { corrections: context.pass.corrections + 1 }),
    })),
    'tell the lead the advice': assign(({ context }) => ({ message: adviceMessage(context) })),
    'tell the lead to settle': assign(({ context }, { output }: { readonly output: GateDecision }) => ({
      message: settleMessage(context, decisionOf(output)),
    })),
    'keep what the lead says': assign(({ context }, { output }: { readonly output: LeadOutput }) =>
      keepLead(context, output),
    ),
    'keep the advice': assign(({ context }, { output }: { readonly output: ExchangeOutput }) =>
      keepExchange(context, output),
    ),
    'keep the review': assign(({ context }, { output }: { readonly output: ReviewOutput }) => ({
      reviews: [...context.reviews, { round: context.pass.at.round, output }],
    })),
    'keep the fixes': assign((_, { output }: { readonly output: readonly JudgedFix[] }) => ({
      fixes: output,
    })),
    'keep the commit': assign(({ context }, { output }: { readonly output: CommittedWork }) => ({
      committed: output,
      implemented: [...context.implemented, context.tree],
    })),
    'keep what was applied': assign((_, { output }: { readonly output: ApplyResult }) => ({
      applied: output,
    })),
    'settle the phase': assign(({ context }) => settlePhase(context)),
    'continue with the next phase': assign(({ context }) => goOn(context, passAfter(context))),
    'go back': assign(({ context }, { output }: { readonly output: GateDecision }) =>
      reviseFrom(context, output),
    ),
    'judge the review': assign(({ context }) => judgeReview(context)),
    'end without the lead': assign(({ context }) => stopWithoutLead(context)),
    'end without the advisor': assign(({ context }) => stopWithoutAdvice(context)),
    'end because nothing was done': assign(({ context }) => commitNothing(context)),
    'end at the gate': assign(({ context }, { output }: { readonly output: GateDecision }) =>
      stopAtGate(context, output),
    ),
    'note the end of the phase': assign(({ context }) => ({
      phases: [...context.phases, phaseEnd(context)],
    })),
    'enter the next phase': assign(({ context }) => enter(context)),
  },
}).createMachine({
  id: 'workflow',
  context: ({ input }) => openContext(input),
  initial: 'opening',
  states: {
    opening: {
      invoke: {
        id: 'opening',
        src: 'open',
        onDone: { target: 'entering', actions: withOutput('keep the tree') },
      },
    },
    entering: {
      invoke: {
        id: 'entering',
        src: 'begin the phase',
        input: ({ context }) => context.pass.at,
        onDone: [
          { guard: inPhase('implementation'), target: 'implementing', actions: 'tell the lead to implement' },
          { guard: 'it fixes findings', target: 'reviewing' },
          { target: 'drafting', actions: 'tell the lead to draft' },
        ],
      },
    },
    drafting: leading('drafting', 'draft', 'readingDraft'),
    readingDraft: {
      always: [
        { guard: 'the lead failed', target: 'endingPhase', actions: 'end without the lead' },
        { guard: 'the lead asks', target: 'asking' },
        { guard: 'it may be put right', target: 'drafting', actions: 'tell the lead what is wrong' },
        // Its whole text becomes the request: we set the protocol's tag.
        { target: 'asking' },
      ],
    },
    asking: {
      always: [{ guard: inPhase('review'), target: 'reviewing' }, { target: 'consulting' }],
    },
    consulting: {
      invoke: {
        id: 'consulting',
        src: 'exchange',
        input: ({ context }) => consultInput(context),
        onDone: { target: 'readingAdvice', actions: withOutput('keep the advice') },
      },
    },
    readingAdvice: {
      always: [
        { guard: 'the advisor failed', target: 'endingPhase', actions: 'end without the advisor' },
        { guard: inPhase('implementation'), target: 'implementing', actions: 'tell the lead the advice' },
        { target: 'gating' },
      ],
    },
    gating: {
      invoke: {
        id: 'gating',
        src: 'gate',
        input: ({ context }) => gateInput(context),
        onDone: [
          { guard: gateSays('stop'), target: 'endingPhase', actions: withOutput('end at the gate') },
          { guard: gateSays('revise'), target: 'endingPhase', actions: withOutput('go back') },
          { target: 'settling', actions: withOutput('tell the lead to settle') },
        ],
      },
    },
    settling: leading('settling', 'settle', 'readingResult'),
    readingResult: {
      always: [
        { guard: 'the lead failed', target: 'endingPhase', actions: 'end without the lead' },
        { target: 'endingPhase', actions: ['settle the phase', 'continue with the next phase'] },
      ],
    },
    implementing: leading('implementing', 'implement', 'readingWork'),
    readingWork: {
      always: [
        { guard: 'the lead failed', target: 'endingPhase', actions: 'end without the lead' },
        { guard: 'the lead may consult', target: 'consulting' },
        {
          guard: 'the lead consults in another phase',
          target: 'implementing',
          actions: 'tell the lead what is wrong',
        },
        {
          guard: 'the lead asks once too often',
          target: 'implementing',
          actions: 'tell the lead that no consult is left',
        },
        {
          guard: 'a finding is unanswered',
          target: 'implementing',
          actions: 'ask the lead about every finding',
        },
        { target: 'committing' },
      ],
    },
    committing: {
      invoke: {
        id: 'committing',
        src: 'commit',
        input: ({ context }) => commitInput(context),
        onDone: [
          {
            guard: withOutput('nothing differs from the base'),
            target: 'endingPhase',
            actions: 'end because nothing was done',
          },
          {
            target: 'endingPhase',
            actions: [withOutput('keep the commit'), 'settle the phase', 'continue with the next phase'],
          },
        ],
      },
    },
    reviewing: {
      invoke: {
        id: 'reviewing',
        src: 'review',
        input: ({ context }) => reviewInput(context),
        onDone: [
          { guard: 'it fixes findings', target: 'judging', actions: withOutput('keep the review') },
          { target: 'endingPhase', actions: [withOutput('keep the review'), 'judge the review'] },
        ],
      },
    },
    judging: {
      invoke: {
        id: 'judging',
        src: 'judge the fixes',
        input: ({ context }) => judgeInput(context),
        onDone: { target: 'endingPhase', actions: [withOutput('keep the fixes'), 'judge the review'] },
      },
    },
    endingPhase: {
      entry: 'note the end of the phase',
      invoke: {
        id: 'endingPhase',
        src: 'end the phase',
        input: ({ context }) => phaseEnd(context),
        onDone: [
          { guard: 'the work continues', target: 'entering', actions: 'enter the next phase' },
          { guard: 'there is something to apply', target: 'applying' },
          { target: 'settled' },
        ],
      },
    },
    applying: {
      invoke: {
        id: 'applying',
        src: 'apply',
        input: ({ context }) => committedOf(context),
        onDone: { target: 'settled', actions: withOutput('keep what was applied') },
      },
    },
    settled: { type: 'final' },
  },
  output: ({ context }) => workflowOutput(context),
});

function inPhase(phase: Phase) {
  return { type: 'the phase is', params: { phase } } as const;
}

/** Asks the lead for its text in this pass. */
function leading<const Next extends string>(id: string, asks: Parameters<typeof leadInput>[1], target: Next) {
  return {
    invoke: {
      id,
      src: 'lead',
      input: ({ context }: { readonly context: WorkflowContext }) => leadInput(context, asks),
      onDone: { target, actions: withOutput('keep what the lead says') },
    },
  } as const;
}

function gateSays(wanted: GateDecision['kind']) {
  return {
    type: 'the gate says',
    params: ({ event }: { readonly event: { readonly output: GateDecision } }) => ({
      said: event.output.kind,
      wanted,
    }),
  } as const;
}

function committedOf({ committed }: WorkflowContext): CommittedWork {
  if (committed === null) throw new Error('nothing is committed');
  return committed;
}

function decisionOf(gate: GateDecision) {
  return gate.kind === 'go_on' ? gate.decision : ({ kind: 'nothing_asked' } as const);
}
