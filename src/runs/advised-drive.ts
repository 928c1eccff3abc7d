/** The part of a drive that a review and a consult share: one advisor with its folders, and the answers to its questions. */
import type { EventAgent } from '../events/collab-event.ts';
import type { Advisor } from './agents/advisor-agent.ts';
import { budgetOfRun } from './calls/budget.ts';
import { createDeadline } from './calls/deadline.ts';
import { shareBudget } from './calls/shared-budget.ts';
import { openAnswerWay } from './calls/open-replier.ts';
import type { TurnRequest } from '../providers/contract/contract.ts';
import type { AgentFolders } from './folder/agent-folders.ts';
import { nowhere, placedAt, type SubmittedInput } from './engine/portable-input.ts';
import type { KnownRun, OpenDriveOptions } from './run-kind.ts';

interface AdvisedParts {
  readonly folders: AgentFolders;
  readonly advisor: Advisor;
  readonly timeLimitMs: number | null;
}

export function advisedDrive<Input extends SubmittedInput>(
  options: OpenDriveOptions<Input>,
  { folders, advisor, timeLimitMs }: AdvisedParts,
) {
  const { input, clock, ledger } = options;
  const { state: stateFolder, review: folder } = folders;
  const own = budgetOfRun(input);
  const budgetOf = (provider: string) => (ledger === undefined ? own : shareBudget(own, ledger, provider));
  const budget = budgetOf(input.advisor.provider);
  const deadline = createDeadline(timeLimitMs, clock);
  const answers = openAnswerWay({
    ...options,
    stateFolder,
    folder,
    copy: folders,
    deadline,
    budget: budgetOf(input.lead?.provider ?? ''),
  });
  const agent: EventAgent = { id: 'advisor', role: 'advisor', provider: input.advisor.provider };
  const met: KnownRun<Input>['met'] = { advisor: null, lead: null };
  return {
    ...options,
    everywhere: options.store === undefined ? input : placedAt(input, nowhere),
    advisor: { ...advisor, turn: (request: TurnRequest) => advisor.turn(clearingDead(request, folders)) },
    agent,
    sessionAgent: agent,
    deadline,
    budget,
    answers,
    met,
    closeAgents: () => Promise.all([advisor.close(), answers.close(), folders.close()]),
    clear: (isFinal: boolean) => (isFinal ? folders.remove() : folders.removeCopy()),
  };
}

/** The end of the run would have to wait for it. */
function clearingDead(request: TurnRequest, { clearDead }: Pick<AgentFolders, 'clearDead'>): TurnRequest {
  return {
    ...request,
    async bind(sessionId) {
      await request.bind(sessionId);
      // After the prompt has been sent.
      setImmediate(() => void clearDead());
    },
  };
}
