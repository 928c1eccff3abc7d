/** Builds Claude Code's environment from the caller's by allow-list (test/agents/traps.md, Isolation). */
import { joinPath, passedOn, systemFolders, type Platform } from '../../system/platform.ts';

export interface EnvironmentOptions {
  /** The user's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `claude_code.base_url` of the configuration; the environment variable of that name is ignored. */
  readonly baseUrl: string | null;
  readonly platform: Platform;
}

export function buildEnvironment({ env, baseUrl, platform }: EnvironmentOptions): Record<string, string> {
  return {
    ...passedOn(passedVariables, env, platform),
    // Leaves out the folders of the user's PATH: `npx` puts the repository's programs there, and Claude starts `git`.
    PATH: joinPath(systemFolders(env, platform), platform),
    LANG: 'C.UTF-8',
    ...(baseUrl !== null && { ANTHROPIC_BASE_URL: baseUrl }),
    ...switches,
  };
}

const passedVariables = [
  // The home stays the user's: the login is refreshed in place there, and `--setting-sources ""` ignores everything else in
  // it.
  'HOME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  // Required by the keychain of macOS.
  'USER',
  'LOGNAME',
  'TMPDIR',
  'CLAUDE_CONFIG_DIR',
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'NODE_EXTRA_CA_CERTS',
];

const switches = {
  // Otherwise `@path` in a prompt would read any file of the machine into it.
  CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  // Retries follow one policy, and it is not Claude's: by default a 401 is repeated ten times.
  CLAUDE_CODE_MAX_RETRIES: '0',
};
