/** Asks Claude Code which login a turn would use. */
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import type { AskedProgram } from '../program/ask-version.ts';
import { lacksAbility, missingAbility } from '../program/lacks-ability.ts';
import { buildProbe } from './arguments.ts';
import { howToInstallClaude } from './package-of-claude.ts';
import { runCommand } from '../../system/run-command.ts';
import { parseJson } from '../../text/parse-json.ts';

export interface ClaudeLogin {
  /** "Claude login", "API key". */
  readonly label: string;
  /** Folder of the session transcripts. */
  readonly projectsFolder: string;
}

/**
 * Its `cwd` is a folder without a project.
 * @throws CollabError `auth` if no user is logged in, `cli_missing` if the program does not work or is too old
 */
export async function readLogin(options: AskedProgram): Promise<ClaudeLogin> {
  // Runs without the user's settings, like a turn: a key that only they supply is not a login here.
  const result = await runCommand({
    file: options.program,
    args: [...buildProbe(), 'auth', 'status'],
    cwd: options.cwd,
    env: options.env,
    maxOutputBytes: 64 * 1024,
    timeoutMs: statusTimeoutMs,
    signal: options.signal,
    diesWithUs: true,
  });
  options.signal.throwIfAborted();
  const status = readStatus(result.stdout);
  const ability = missingAbility(result.stderr);
  if (ability !== null) {
    const install = howToInstallClaude();
    throw lacksAbility({ agent: 'Claude Code', program: options.program, ability, install });
  }
  if (status === null) throw doesNotWork(options.program, result.stderr.trim() || result.stdout.trim());
  if (!status.loggedIn) {
    throw new CollabError('auth', 'Claude Code is not logged in.', {
      hint: 'Run `claude` and log in with /login, or set ANTHROPIC_API_KEY.',
    });
  }
  const method = status.authMethod ?? 'unknown';
  return {
    label: labels[method] ?? method,
    projectsFolder: status.projectsDirectory ?? join(configFolder(options.env), 'projects'),
  };
}

const statusTimeoutMs = 15_000;

const labels: Readonly<Record<string, string>> = {
  api_key: 'API key',
  oauth_token: 'Claude token',
  'claude.ai': 'Claude login',
};

/** `claude auth status`, 2.1.330: exit code 1 has the same JSON. */
const statusSchema = z.looseObject({
  loggedIn: z.boolean(),
  authMethod: z.string().nullish(),
  projectsDirectory: z.string().nullish(),
});

function readStatus(text: string): z.infer<typeof statusSchema> | null {
  return statusSchema.safeParse(parseJson(text)).data ?? null;
}

function configFolder(env: AskedProgram['env']): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.claude');
}

function doesNotWork(program: string, said: string): CollabError {
  const words = said === '' ? 'it printed nothing' : said.split('\n').slice(-1).join(' ').slice(0, 300);
  return new CollabError('cli_missing', `${program} does not report its login (${words}).`, {
    hint: `Reinstall it: ${howToInstallClaude().command}`,
  });
}
