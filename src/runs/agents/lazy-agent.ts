/** An agent of one run, opened at the first actual call: a run that answers from its records starts none. */
import type { Agent, AgentIdentity, Harvest } from '../../providers/contract/contract.ts';
import { maskedAnswer } from './masked-turn.ts';
import { isUnavailable, unavailableBecause, type AgentUnavailable } from './unavailable-agent.ts';

export interface AgentOfRun {
  /** Starts the agent without waiting for it; safe to call twice. */
  warmUp(): void;
  /** The agent's own facts, or why it cannot run. */
  identity(): Promise<AgentIdentity | AgentUnavailable>;
  harvest(sessionId: string, callId: string): Promise<Harvest>;
  close(): Promise<void>;
}

export interface AgentOnce<One> {
  /** The agent, or why it cannot run. */
  readonly opened: () => Promise<One | AgentUnavailable>;
  readonly shared: AgentOfRun;
}

export function openOnce<One extends Pick<Agent, 'identity' | 'harvest' | 'close'>>(
  open: () => Promise<One>,
): AgentOnce<One> {
  let opening: Promise<One | AgentUnavailable> | null = null;
  const opened = () => (opening ??= open().catch(unavailableBecause));
  const shared: AgentOfRun = {
    warmUp() {
      // The next call that uses the agent reports the failure.
      opened().catch(() => undefined);
    },
    async identity() {
      const agent = await opened();
      return isUnavailable(agent) ? agent : agent.identity;
    },
    async harvest(sessionId, callId) {
      const agent = await opened();
      if (isUnavailable(agent)) return { kind: 'not_sent' };
      const harvest = await agent.harvest(sessionId, callId);
      return harvest.kind === 'answered' ? { ...harvest, ...maskedAnswer(harvest.text) } : harvest;
    },
    async close() {
      const agent = await opening;
      if (agent !== null && !isUnavailable(agent)) await agent.close();
    },
  };
  return { opened, shared };
}
