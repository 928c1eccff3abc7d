/** A workflow as a kind of run, and the opening of its lead, its advisor and a separate copy for the lead's files. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { workflowTimeLimitMs } from '../../config/waits.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { openWorkingCopy, type Edits } from '../../git/working-copy/working-copy.ts';
import { phaseLeadPrompt } from '../../prompts/system-prompts.ts';
import type { OpenOptions } from '../../providers/contract/contract.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { budgetOfRun } from '../calls/budget.ts';
import { shareBudget } from '../calls/shared-budget.ts';
import { withoutPlaces } from '../engine/portable-input.ts';
import { keeperOf } from './kept-states.ts';
import { advisorOfRun } from '../agents/advisor-agent.ts';
import { once } from '../once.ts';
import { actsOfReports, type OpenDriveOptions, type RunKind } from '../run-kind.ts';
import { createLead, type Lead } from '../agents/lead-agent.ts';
import { caller, user } from '../agents/lead-choice.ts';
import type { RunResult } from '../folder/result-file.ts';
import { dropBranchOf, leaveRepository, recordEdits } from './edits.ts';
import type { AnswerWay } from '../calls/reverse-request.ts';
import type { LeadWay } from '../calls/lead-reply.ts';
import { createDeadline } from '../calls/deadline.ts';
import { runWorkflowMachine } from './actors.ts';
import { recordDrive, removeDeadCopies } from '../folder/dead-copies.ts';
import { openStateFolder, removeStateFolder } from '../folder/state-folder.ts';
import type { WorkflowDrive, WorkflowEnding, WorkInput } from './types.ts';
import {
  cancelledWorkflow,
  endedWorkflow,
  failedWorkflow,
  lastWorkflowRecord,
  unfinishedWorkflow,
} from './result.ts';
import { limitsIn } from '../folder/run-settings.ts';

type WorkKind = RunKind<WorkInput, WorkflowDrive, WorkflowEnding, ReviewResult>;

/** The functions that both kinds share. */
const work: Omit<WorkKind, 'kind'> = {
  schema: 'collab.review/v1',
  acts: ({ kind, apply, reports }, repository) => [
    [{ does: 'start a run of phases' }, kind === 'fix' ? 'a fix' : 'a run'],
    [{ does: 'read the repository', what: repository }, `the repository ${repository}`],
    ...(apply ? [[{ does: 'bring edits into the files' }, '--apply'] as const] : []),
    ...actsOfReports(reports),
  ],
  open: openWorkflow,
  drive: runWorkflowMachine,
  lastRecord: lastWorkflowRecord,
  ended: endedWorkflow,
  unfinished: unfinishedWorkflow,
  cancelled: cancelledWorkflow,
  failed: failedWorkflow,
  leave: ({ runId, runFolder }, env) => leaveRepository({ runId, path: runFolder }, { env }),
};

export const workflowKind: WorkKind = { ...work, kind: 'workflow' };

/** Fixes chosen findings of an earlier run: an implementation and a review. */
export const fixKind: WorkKind = { ...work, kind: 'fix' };

/** @throws CollabError `input` */
async function openWorkflow(options: OpenDriveOptions<WorkInput>): Promise<WorkflowDrive> {
  const { input, runId, runFolder, env, clock, signal, store, ledger } = options;
  const stateName = store === undefined ? runId : `${runId}.${randomBytes(6).toString('hex')}`;
  const state = openStateFolder(stateName, { env, clock });
  if (store !== undefined) {
    recordDrive(state, runFolder);
    // A worker that was killed left its own.
    await removeDeadCopies({ env, clock }, stateName);
  }
  const copy = await openWorkingCopy({
    cwd: input.cwd,
    folder: join(state, 'tree'),
    runId,
    runFolder,
    env,
    signal,
    clock,
  });
  // Recorded first: `collab clean` needs it to find the worktree.
  recordEdits({ runId, path: runFolder }, copy.edits());
  const common = { env, cwd: input.cwd, signal, runId, limits: limitsIn(input.settings, null) };
  const review = readsFiles(input) ? copy.folder : null;
  const advisor = advisorOfRun(options, input, { state, review, phase: null });
  const lead = openLead(input, common, join(state, 'lead'));
  const timeLimitMs = input.settings.time_limit_ms ?? workflowTimeLimitMs(input.skill.phases.length);
  const deadline = createDeadline(timeLimitMs, clock);
  const own = budgetOfRun(input);
  const budgetOf = (provider: string) => (ledger === undefined ? own : shareBudget(own, ledger, provider));
  const [budget, leadBudget] = [budgetOf(input.advisor.provider), budgetOf(input.lead.provider)];
  const met: WorkflowDrive['met'] = { advisor: null, lead: null };
  const leadAgent = { id: 'lead', role: 'lead', provider: input.lead.provider } as const;
  return {
    ...options,
    advisor,
    agent: { id: 'advisor', role: 'advisor', provider: input.advisor.provider },
    lead,
    leadAgent,
    conversationId: runId,
    sessionAgent: leadAgent,
    sessionIdentity: async () => (await lead?.identity()) ?? null,
    copy,
    ...(store === undefined ? {} : { keep: keeperOf(copy) }),
    everywhere: store === undefined ? input : withoutPlaces(input),
    deadline,
    budget,
    leadBudget,
    met,
    reviewed: { change: null },
    answers: {
      way: answerWay(input, lead, {
        leadAgent,
        folder: copy.folder,
        deadline,
        budget: leadBudget,
        limits: input.settings,
        fenceSeed: input.fence_seed,
      }),
    },
    introduce: once(async () => {
      const [leadFacts, advisorFacts] = await Promise.all([lead?.identity() ?? null, advisor.identity()]);
      if (leadFacts !== null && !('kind' in leadFacts)) met.lead = leadFacts;
      if (!('kind' in advisorFacts)) met.advisor = advisorFacts;
      const phases = input.skill.phases.map(({ phase }) => phase);
      const { branch, remark } = copy;
      const { fallback } = input.advisor;
      options.onIntroduction?.({
        kind: 'workflow',
        lead: leadFacts,
        advisor: advisorFacts,
        fallback,
        branch,
        remark,
        notes: input.notes,
        apply: input.apply,
        phases,
        timeLimitMs,
      });
      return advisorFacts;
    }),
    async closeAgents() {
      await Promise.all([advisor.close(), lead?.close()]);
      // The records have the state: the next drive may be on another machine, and begins with a folder of its own.
      if (store !== undefined) removeStateFolder(stateName, options);
    },
    async clear(isFinal, result) {
      if (!isFinal) return;
      await copy.close();
      if (isDropped(result, copy.edits())) await dropBranchOf({ runId, path: runFolder }, { env });
      removeStateFolder(stateName, options);
    },
  };
}

/** Returns true if the user wants no more of the work, or the lead made none. */
function isDropped(result: RunResult, { base, head }: Edits): boolean {
  const code = result.schema === 'collab.review/v1' ? result.workflow?.ended?.code : undefined;
  return code === 'cancelled' || base.tree === head.tree;
}

function readsFiles({ advisor }: WorkInput): boolean {
  return advisor.assurance === 'model';
}

/** Opens the lead in its own folder, apart from the advisor's. Returns null if the caller leads. */
function openLead(
  { lead }: WorkInput,
  common: Pick<OpenOptions, 'env' | 'cwd' | 'signal' | 'runId' | 'limits'>,
  stateFolder: string,
): Lead | null {
  if (lead.provider === caller || lead.provider === user) return null;
  makeFolder(stateFolder);
  const { provider, model, settings } = lead;
  return createLead(provider, { ...common, settings, model, stateFolder, instructions: phaseLeadPrompt });
}

function answerWay(
  input: WorkInput,
  lead: Lead | null,
  about: Pick<LeadWay, 'leadAgent' | 'folder' | 'deadline' | 'budget' | 'limits' | 'fenceSeed'>,
): AnswerWay {
  if (lead !== null) return { kind: 'agent', lead, round: 1, ...about };
  return { kind: 'asked', by: input.lead.provider === user ? 'user' : 'caller' };
}
