/** Facts about Claude Code's npm package (looked up on 2026-11-22). */
import { installAdvice, type InstallAdvice } from '../program/lacks-ability.ts';

/** The version with which the launch and the table of failures were measured. */
export const testedVersion = '2.1.330';

export function howToInstallClaude(): InstallAdvice {
  return installAdvice({ name: '@anthropic-ai/claude-code', node: 22 });
}
