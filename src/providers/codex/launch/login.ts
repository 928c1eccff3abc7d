/** Finds the login that a run would use, if there is one. */
import { CollabError } from '../../../errors/collab-error.ts';
import { runCommand } from '../../../system/run-command.ts';
import type { UserSettings } from './user-settings.ts';
import type { AskedProgram } from '../../program/ask-version.ts';

export interface CodexLogin {
  /** For the first lines of a run: "ChatGPT login", "API key"; null if the provider needs none. */
  readonly label: string | null;
  /** Variables of the user's environment that Codex needs. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** `env` is the run's environment: its CODEX_HOME holds the linked login. */
export interface CodexLoginOptions extends AskedProgram {
  readonly settings: UserSettings;
  /** The user's environment. */
  readonly userEnv: Readonly<Record<string, string | undefined>>;
  /** True if there was a login file to link. */
  readonly linked: boolean;
}

/** @throws CollabError `auth` with a remedy, if there is none. */
export async function findLogin(options: CodexLoginOptions): Promise<CodexLogin> {
  const { settings, userEnv } = options;
  const given = givenLogin(settings, userEnv);
  if (given !== null) return given;
  const label = options.linked ? await storedLogin(options) : null;
  if (label === null) throw notLoggedIn(settings);
  return { label, secrets: headerVariables(settings, userEnv) };
}

/** Returns the `secrets` of `findLogin` without asking Codex. @throws CollabError `auth` */
export function loginSecrets({
  settings,
  userEnv,
}: Pick<CodexLoginOptions, 'settings' | 'userEnv'>): CodexLogin['secrets'] {
  return givenLogin(settings, userEnv)?.secrets ?? headerVariables(settings, userEnv);
}

/** Returns a login from the environment or the settings; null if Codex's own login must be checked. */
function givenLogin(settings: UserSettings, userEnv: CodexLoginOptions['userEnv']): CodexLogin | null {
  const own = providerLogin(settings, userEnv);
  if (own !== null) return own;
  const apiKey = userEnv['CODEX_API_KEY'];
  return apiKey === undefined || apiKey === ''
    ? null
    : { label: 'API key', secrets: { CODEX_API_KEY: apiKey } };
}

/** Returns a custom provider's own login; null if it uses the OpenAI login. */
function providerLogin(settings: UserSettings, env: CodexLoginOptions['userEnv']): CodexLogin | null {
  const { provider } = settings;
  if (settings.providerId === null || provider?.requires_openai_auth === true) return null;
  const secrets = headerVariables(settings, env);
  const keyName = provider?.env_key ?? null;
  if (keyName === null)
    return { label: (provider?.experimental_bearer_token ?? null) === null ? null : 'token', secrets };
  const key = env[keyName];
  if (key !== undefined && key !== '')
    return { label: `key in ${keyName}`, secrets: { ...secrets, [keyName]: key } };
  throw new CollabError(
    'auth',
    `Codex's model provider "${settings.providerId}" needs a key in ${keyName}, which is not set.`,
    {
      hint: `Set it: export ${keyName}=…`,
    },
  );
}

/** Returns the variables that supply header values to the provider's entry. */
function headerVariables(
  { provider }: UserSettings,
  env: CodexLoginOptions['userEnv'],
): Record<string, string> {
  const names = Object.values(provider?.env_http_headers ?? {});
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Returns the result of `codex login status` in the run's CODEX_HOME; null if there is no login. */
async function storedLogin({ program, env, cwd, signal }: CodexLoginOptions): Promise<string | null> {
  const result = await runCommand({
    file: program,
    args: ['login', 'status'],
    cwd,
    env,
    maxOutputBytes: 64 * 1024,
    timeoutMs: statusTimeoutMs,
    signal,
  });
  if (result.exitCode !== 0) return null;
  // Codex 0.169 prints it on standard error.
  return /chatgpt/i.test(`${result.stdout}${result.stderr}`) ? 'ChatGPT login' : 'API key';
}

const statusTimeoutMs = 15_000;

function notLoggedIn({ loginStore }: UserSettings): CollabError {
  if (loginStore === 'keyring' || loginStore === 'auto') {
    const message =
      "Codex has no login file, and a login in the system's keyring is out of reach for a separate run.";
    return new CollabError('auth', message, {
      hint: 'Set CODEX_API_KEY, or cli_auth_credentials_store = "file" in Codex\' config.toml and run `codex login` again.',
    });
  }
  return new CollabError('auth', 'Codex is not logged in.', {
    hint: 'Run `codex login`, or set CODEX_API_KEY.',
  });
}
