/** The provider `codex` as specification 003's client. It sees only the prompt, no files. */
import { AgentClient } from '../client/agent-client.ts';
import type { LeadOptions, PromptAgent } from '../contract/contract.ts';
import { openCodex } from './advisor.ts';

export class CodexClient extends AgentClient {
  static override readonly authMode = 'cli_login';
  static override readonly program = 'codex';

  static override getProviderName(): string {
    return 'codex';
  }

  protected openAgent(options: LeadOptions): Promise<PromptAgent> {
    return openCodex({ ...options, reviewFolder: null });
  }
}
