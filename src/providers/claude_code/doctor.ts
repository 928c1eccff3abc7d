/** What `collab doctor` says about Claude Code as the lead. Nothing here is a failure: a review needs no lead. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ProviderEnvironment } from '../contract/contract.ts';
import { lookAtClaude, testedVersion } from './claude_code_client.ts';

export interface ClaudeCheck {
  readonly name: 'program' | 'version' | 'login';
  readonly state: 'ok' | 'differs';
  readonly text: string;
  /** A command to paste or a sentence; null where nothing is to be done. */
  readonly hint: string | null;
}

/** Starts no model turn. */
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

function versionCheck(version: string | null): ClaudeCheck {
  if (version === testedVersion) return { name: 'version', state: 'ok', text: version, hint: null };
  return {
    name: 'version',
    state: 'differs',
    text: `${version ?? 'unknown'}; collab is tested with ${testedVersion}`,
    hint: `npm install --global @anthropic-ai/claude-code@${testedVersion}`,
  };
}
