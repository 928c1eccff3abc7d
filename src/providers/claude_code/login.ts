/** Which login a turn would use, as Claude Code itself tells it. */
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { runCommand } from '../../system/run-command.ts';

export interface Login {
  /** "Claude login", "API key". */
  readonly label: string;
  /** Where the transcripts of sessions lie. */
  readonly projectsFolder: string;
}

export interface LoginOptions {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** A folder without any project in it. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** @throws CollabError `auth` where nobody is logged in, `cli_missing` where the program does not work */
export async function readLogin(options: LoginOptions): Promise<Login> {
  // Without the user's settings, as a turn runs: a key that only they would supply is no login here.
  const result = await runCommand({
    file: options.program,
    args: ['--setting-sources', '', 'auth', 'status'],
    cwd: options.cwd,
    env: options.env,
    maxOutputBytes: 64 * 1024,
    timeoutMs: statusTimeoutMs,
    signal: options.signal,
    diesWithUs: true,
  });
  options.signal.throwIfAborted();
  const status = readStatus(result.stdout);
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

/** `claude auth status`, 2.1.330: exit code 1 comes with the same JSON. */
const statusSchema = z.looseObject({
  loggedIn: z.boolean(),
  authMethod: z.string().nullish(),
  projectsDirectory: z.string().nullish(),
});

function readStatus(text: string): z.infer<typeof statusSchema> | null {
  try {
    return statusSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function configFolder(env: LoginOptions['env']): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.claude');
}

function doesNotWork(program: string, said: string): CollabError {
  const words = said === '' ? 'it said nothing' : said.split('\n').slice(-1).join(' ').slice(0, 300);
  return new CollabError('cli_missing', `${program} does not tell its login (${words}).`, {
    hint: 'Claude Code 2.1 or newer is needed: npm install --global @anthropic-ai/claude-code',
  });
}
