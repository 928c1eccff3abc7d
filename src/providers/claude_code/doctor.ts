/** The checks of `collab doctor` for Claude Code as the lead. None of them fails the command: a review needs no lead. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ProviderEnvironment } from '../contract/contract.ts';
import { versionCheck, type AgentCheck } from '../program/agent-check.ts';
import { lookAtClaude } from './claude_code_client.ts';
import { testedVersion } from './package-of-claude.ts';

export type ClaudeCheck = AgentCheck<'program' | 'version' | 'login'>;

/** Runs the checks. Starts no model turn. */
export async function doctorClaude(environment: ProviderEnvironment): Promise<readonly ClaudeCheck[]> {
  try {
    const { program, version, login } = await lookAtClaude(environment);
    return [
      { name: 'program', state: 'ok', text: program, hint: null },
      versionCheck(version, testedVersion),
      { name: 'login', state: 'ok', text: login.label, hint: null },
    ];
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    const name = error.code === 'auth' ? 'login' : 'program';
    return [{ name, state: 'differs', text: `no lead: ${error.message}`, hint: error.hint }];
  }
}
