/** The workflow machine with its real actors: each is a step of the run, so that a resumed run takes the same way. */
import { createActor, fromPromise } from 'xstate';
import { leadMachine } from '../machine/lead-machine.ts';
import type { LeadAskInput, LeadAskOutput } from '../machine/lead-types.ts';
import {
  reviewMachine,
  type CountedChange,
  type PlanInput,
  type ReportInput,
  type ReviewScope,
} from '../machine/review-machine.ts';
import { cancelledOutput } from '../machine/workflow-context.ts';
import { workflowMachine } from '../machine/workflow-machine.ts';
import type {
  ApplyResult,
  CommitInput,
  Committed,
  GateDecision,
  GateInput,
  PhaseEnd,
  PhasePass,
} from '../machine/workflow-types.ts';
import type { RunContext } from './engine-port.ts';
import { provideExchange } from './run-exchange.ts';
import { passGate } from './run-gate.ts';
import { askLead } from './run-lead.ts';
import { planReview, reportReview, revealSecrets } from './run-review-machine.ts';
import {
  applyToUser,
  beginPhase,
  commitRound,
  countMade,
  endPhase,
  meetPair,
  takeTree,
} from './workflow-steps.ts';
import type { WorkflowDrive, WorkflowEnding } from './workflow-drive.ts';

/** Runs the machine from its first state; what a former drive has done answers from the records. */
export function runWorkflowMachine(
  context: RunContext,
  drive: WorkflowDrive,
  cancelled: AbortSignal,
): Promise<WorkflowEnding> {
  const refusals = { any: false };
  const { task, skill, settings, on_advisor_failure: onAdvisorFailure } = drive.input;
  return new Promise((resolve, reject) => {
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
    context.signal.addEventListener('abort', () => actor.stop(), { once: true });
    const cancel = () => {
      const output = cancelledOutput(actor.getSnapshot().context);
      actor.stop();
      resolve({ cancelled: true, output, final: true });
    };
    cancelled.addEventListener('abort', cancel, { once: true });
    actor.subscribe({
      next(snapshot) {
        if (snapshot.status !== 'done') return;
        resolve({ cancelled: false, output: snapshot.output, final: !refusals.any });
      },
      error: reject,
    });
    actor.start();
    if (cancelled.aborted) cancel();
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
          plan: fromPromise<null, PlanInput>(({ input }) =>
            context.child(input.path, (scope) => planReview(scope, drive, input)),
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
