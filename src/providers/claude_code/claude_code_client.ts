/** The provider `claude_code`: `claude -p --output-format stream-json`, one process per turn, with the user's login. */
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import { remarksOnAddress } from '../api/base-url.ts';
import { AgentClient, promptAgentOf } from '../client/agent-client.ts';
import type {
  AdvisorProvider,
  LeadOptions,
  LeadProvider,
  PromptAgent,
  ProviderEnvironment,
} from '../contract/contract.ts';
import { advisorPrompt } from '../../prompts/system-prompts.ts';
import { refusedProbe } from '../contract/refused-probe.ts';
import { asAdvisor } from '../contract/lead-as-advisor.ts';
import { createClaudeLead } from './lead.ts';
import { prepare, type PreparedClaude } from './prepare.ts';
import { openStateFolders } from './state-folders.ts';

export const claudeCodeProvider: LeadProvider & AdvisorProvider = {
  name: 'claude_code',
  roles: ['lead', 'advisor'],
  authMode: 'cli_login',
  assurance: 'model',
  promptLimit: null,
  // The program reports the total cost in dollars, under every login.
  price: async () => 'told_after',

  async probe(environment) {
    try {
      const { version, login } = await lookAtClaude(environment);
      return { ready: true, version, login: login.label, model: null };
    } catch (error) {
      return refusedProbe(error);
    }
  },

  /** Keeps its state apart from that of a lead of the same run. */
  async open({ reviewFolder, ...options }) {
    const stateFolder = join(options.stateFolder, 'advisor');
    const instructions = advisorPrompt(reviewFolder === null ? 'nothing' : { folder: reviewFolder });
    const lead = await claudeCodeProvider.openLead({ ...options, stateFolder, instructions });
    return asAdvisor(lead, reviewFolder);
  },

  async openLead(options) {
    const folders = openStateFolders(options.stateFolder, options.instructions);
    const prepared = await prepare(options, folders.empty);
    return createClaudeLead({
      identity: identityOf(prepared, options),
      program: prepared.program,
      env: prepared.env,
      folders,
      projectsFolder: prepared.login.projectsFolder,
      model: options.model,
      limits: options.limits,
    });
  },
};

/** Specification 003's client for the same provider. It reads only the prompt and gets no folder. */
export class ClaudeCodeClient extends AgentClient {
  static override readonly authMode = 'cli_login';
  static override readonly program = 'claude';

  static override getProviderName(): string {
    return 'claude_code';
  }

  protected async openAgent(options: LeadOptions): Promise<PromptAgent> {
    const settings = this.apiBase === null ? {} : { 'claude_code.base_url': this.apiBase };
    return promptAgentOf(await claudeCodeProvider.openLead({ ...options, settings }));
  }
}

/** Finds the program and its login without a run; starts no model turn. */
export async function lookAtClaude(environment: ProviderEnvironment): Promise<PreparedClaude> {
  const folder = makeTemporaryFolder('collab-claude-');
  try {
    return await prepare(environment, folder);
  } finally {
    await removeTree(folder);
  }
}

function identityOf({ version, login, baseUrl }: PreparedClaude, { model }: LeadOptions) {
  return {
    provider: 'claude_code',
    displayName: 'Claude Code',
    version,
    model,
    login: login.label,
    destination: baseUrl === null ? 'api.anthropic.com' : new URL(baseUrl).host,
    remarks: baseUrl === null ? [] : remarksOnAddress({ text: baseUrl }),
  };
}
