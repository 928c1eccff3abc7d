/** Who may run what (X004-4): a call of the model is an agent's, and needs leave for all that can change something. */
import type { Tool, ToolCall } from '../tools/interfaces.ts';

export type Leave = 'allow' | 'ask' | 'deny';

export interface ToolPolicy {
  leaveFor(tool: Tool, call: ToolCall): Leave;
  /** Puts the question where the policy says `ask`. */
  ask(tool: Tool, call: ToolCall, signal: AbortSignal): Promise<'allow' | 'deny'>;
}

/** Tools that change nothing run; nobody is there who could be asked about another. */
export const readOnlyPolicy: ToolPolicy = {
  leaveFor: (tool) => (tool.readOnly ? 'allow' : 'deny'),
  ask: async () => 'deny',
};
