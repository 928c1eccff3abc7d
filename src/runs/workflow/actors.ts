/** The workflow machine with its real actors: each is a step of the run, so that a resumed run takes the same way. */
import { createActor, fromPromise } from 'xstate';
import { leadMachine } from '../../machine/lead/lead-machine.ts';
import type { LeadAskInput, LeadAskOutput } from '../../machine/lead/lead-types.ts';
import {
  reviewMachine,
  type ChunkEvidence,
  type CountedChange,
  type PlanInput,
  type ReportInput,
  type ReviewScope,
} from '../../machine/review/review-machine.ts';
import { cancelledOutput } from '../../machine/workflow/workflow-context.ts';
import { workflowMachine } from '../../machine/workflow/workflow-machine.ts';
import type {
  ApplyResult,
  CommitInput,
  Committed,
  GateDecision,
  GateInput,
  PhaseEnd,
  PhasePass,
  WorkflowOutput,
} from '../../machine/workflow/workflow-types.ts';
import type { RunContext } from '../../engine/types.ts';
import { provideExchange } from '../calls/exchange-actors.ts';
import { passGate } from './gate.ts';
import { askLead } from '../calls/lead-call.ts';
import { runMachine } from '../../engine/drive/actor-to-end.ts';
import { revealSecrets } from '../review/unmasked-change.ts';
import { planReview, reportReview } from '../review/actors.ts';
import { applyToUser, beginPhase, commitRound, countMade, endPhase, meetPair, takeTree } from './steps.ts';
import type { WorkflowDrive, WorkflowEnding } from './types.ts';

/** Runs the machine from its first state; what a former drive has done answers from the records. */
export function runWorkflowMachine(
  context: RunContext,
  drive: WorkflowDrive,
  cancelled: AbortSignal,
): Promise<WorkflowEnding> {
  const refusals = { any: false };
  const { task, skill, settings, on_advisor_failure: onAdvisorFailure } = drive.input;
  const actor = createActor(provideActors(context, drive, refusals), {
    input: {
      task,
      skill,
      language: settings.language,
      budgets: settings.budgets,
      chunkTokens: settings.chunk_tokens,
      concurrency: settings.concurrency,
      onAdvisorFailure,
    },
  });
  return runMachine<WorkflowOutput, WorkflowEnding>(actor, context, cancelled, {
    done: (output) => ({ cancelled: false, output, final: !refusals.any }),
    cancelled: () => ({ cancelled: true, output: cancelledOutput(actor.getSnapshot().context), final: true }),
  });
}

function provideActors(context: RunContext, drive: WorkflowDrive, refusals: { any: boolean }) {
  const onRefusal = () => {
    refusals.any = true;
  };
  const exchange = provideExchange(context, drive, {
    requestForAgent: (request) =>
      revealSecrets(request, drive.input.advisor.assurance, drive.reviewed.change ?? { unmasked: [] }),
    onRefusal,
    // What the lead did without the advice stands on its absence.
    remembersRefusal: ({ tag }) =>
      drive.input.on_advisor_failure === 'continue' && tag !== '[REQUEST:REVIEW]',
  });
  return workflowMachine.provide({
    actors: {
      open: fromPromise<string>(async () => {
        const tree = await takeTree(context, drive);
        await meetPair(context, drive);
        return tree;
      }),
      'begin the phase': fromPromise<null, PhasePass>(({ input }) => beginPhase(context, drive, input)),
      'end the phase': fromPromise<null, PhaseEnd>(({ input }) =>
        endPhase(context, drive, input, !refusals.any),
      ),
      gate: fromPromise<GateDecision, GateInput>(({ input }) =>
        passGate(context, input, { gates: drive.input.gates, leadAgent: drive.leadAgent }),
      ),
      commit: fromPromise<Committed, CommitInput>(({ input }) => commitRound(context, drive, input)),
      apply: fromPromise<ApplyResult, Committed>(({ input }) => applyToUser(context, drive, input)),
      lead: leadMachine.provide({
        actors: {
          'ask the lead': fromPromise<LeadAskOutput, LeadAskInput>(({ input, signal }) =>
            askLead(context, input, {
              ...drive,
              introduce: () => drive.introduce(),
              fenceSeed: drive.input.fence_seed,
              limits: drive.input.settings,
              waitsMs: drive.input.settings.waits_ms,
              onRefusal,
              actorSignal: signal,
            }),
          ),
        },
      }),
      exchange,
      review: reviewMachine.provide({
        actors: {
          count: fromPromise<CountedChange, ReviewScope>(({ input }) => countMade(context, drive, input)),
          plan: fromPromise<ChunkEvidence, PlanInput>(({ input }) =>
            planReview(context, { ...drive, unmasked: drive.reviewed.change?.unmasked ?? [] }, input),
          ),
          report: fromPromise<null, ReportInput>(({ input: { path, made: _made, ...output } }) =>
            context.child(path, (scope) =>
              reportReview(scope, drive, { cancelled: false, output, final: !refusals.any }),
            ),
          ),
          exchange,
        },
      }),
    },
  });
}
