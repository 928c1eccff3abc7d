/** The checks of `collab doctor` for Claude Code as the lead. None of them fails the command: a review needs no lead. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ProviderEnvironment } from '../contract/contract.ts';
import { lookAtClaude } from './claude_code_client.ts';
import { testedVersion } from './package-of-claude.ts';

export interface ClaudeCheck {
  readonly name: 'program' | 'version' | 'login';
  readonly state: 'ok' | 'differs';
  readonly text: string;
  /** A command to paste or a sentence; null if there is nothing to do. */
  readonly hint: string | null;
}

/** Runs the checks. Starts no model turn. */
export async function doctorClaude(environment: ProviderEnvironment): Promise<readonly ClaudeCheck[]> {
  try {
    const { program, version, login } = await lookAtClaude(environment);
    return [
      { name: 'program', state: 'ok', text: program, hint: null },
      versionCheck(version),
      { name: 'login', state: 'ok', text: login.label, hint: null },
    ];
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    const name = error.code === 'auth' ? 'login' : 'program';
    return [{ name, state: 'differs', text: `no lead: ${error.message}`, hint: error.hint }];
  }
}

/** Checks the version. The abilities were probed before, so another version that has them all is fine. */
function versionCheck(version: string | null): ClaudeCheck {
  const text =
    version === testedVersion ? version : `${version ?? 'unknown'} (collab is tested with ${testedVersion})`;
  return { name: 'version', state: 'ok', text, hint: null };
}
