/** The workflow machine with its real actors: each is a step of the run, so that a resumed run takes the same path. */
import { createActor, fromPromise } from 'xstate';
import { reviewTimeLimitMs } from '../../config/waits.ts';
import { leadMachine } from '../../machine/lead/lead-machine.ts';
import type { LeadAskInput, LeadAskOutput } from '../../machine/lead/lead-types.ts';
import {
  reviewMachine,
  type RuleReport,
  type SearchInput,
  type SearchOutput,
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
  CommittedWork,
  GateDecision,
  GateInput,
  JudgeFixesInput,
  PhaseEnd,
  PhasePass,
  WorkflowOutput,
} from '../../machine/workflow/workflow-types.ts';
import type { RunContext } from '../../engine/port.ts';
import { pick } from '../../text/pick.ts';
import { provideExchange } from '../calls/exchange-actors.ts';
import { passGate } from './gate.ts';
import { askLead } from '../calls/lead-call.ts';
import { runMachine } from '../../engine/drive/run-actor.ts';
import { withFindings } from '../review/request-for-rules.ts';
import { planReview, reportReview } from '../review/actors.ts';
import { searchCopy, textInCopy } from '../review/search-copy.ts';
import { judgeInCopy } from './judge-in-copy.ts';
import { refuseEarlierState } from './kept-states.ts';
import type { JudgedFix } from '../../review/findings/judge-fixes.ts';
import { applyToUser, beginPhase, commitRound, countMade, endPhase, meetPair, takeTree } from './steps.ts';
import type { WorkflowDrive, WorkflowEnding } from './types.ts';

/** Runs the machine from its first state; the results of an earlier drive are read from the records. */
export async function runWorkflowMachine(
  context: RunContext,
  drive: WorkflowDrive,
  cancelled: AbortSignal,
): Promise<WorkflowEnding> {
  const { copy, store, recorded, runFolder } = drive;
  if (store !== undefined)
    await refuseEarlierState(copy, recorded.all(), (name) => store.text(runFolder, name));
  const refusals = { any: false };
  const { task, skill, settings, on_advisor_failure } = drive.input;
  const actor = createActor(provideActors(context, drive, refusals), {
    input: {
      task,
      skill,
      ...pick(settings, ['language', 'budgets', 'chunk_tokens', 'concurrency']),
      on_advisor_failure,
      fix: drive.input.kind === 'fix' ? drive.input.fix.findings : null,
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
  let byRules: RuleReport | null = null;
  const exchange = provideExchange(context, drive, {
    requestForAgent: (request) => withFindings(request, drive.input, byRules),
    onRefusal,
    // The lead's next steps depend on the missing advice.
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
      commit: fromPromise<CommittedWork, CommitInput>(({ input }) => commitRound(context, drive, input)),
      'judge the fixes': fromPromise<readonly JudgedFix[], JudgeFixesInput>(({ input }) =>
        judgeInCopy(context, drive, input),
      ),
      apply: fromPromise<ApplyResult, CommittedWork>(({ input }) => applyToUser(context, drive, input)),
      lead: leadMachine.provide({
        actors: {
          ask: fromPromise<LeadAskOutput, LeadAskInput>(({ input, signal }) =>
            askLead(context, input, {
              ...drive,
              budget: drive.leadBudget,
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
          plan: fromPromise<RuleReport, PlanInput>(async ({ input }) => {
            if (drive.input.settings.time_limit_ms === null) {
              drive.deadline.extend(reviewTimeLimitMs(input.chunks.length) - reviewTimeLimitMs(1));
            }
            const { copy, reviewed } = drive;
            const headOf = (path: string) => textInCopy(copy.folder, path);
            byRules = await planReview(
              context,
              { ...drive, change: reviewed.change, examined: null, headOf },
              input,
            );
            return byRules;
          }),
          search: fromPromise<SearchOutput, SearchInput>(({ input }) =>
            searchCopy(context, { folder: drive.copy.folder, whole: async () => undefined }, input),
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
