/** Which login a run would use, and whether there is one. */
import { CollabError } from '../../../errors/collab-error.ts';
import { runCommand } from '../../../system/run-command.ts';
import type { UserSettings } from './user-settings.ts';

export interface Login {
  /** For the first line of a run: "ChatGPT login", "API key"; null where the provider asks for none. */
  readonly label: string | null;
  /** Variables of the user's environment that Codex must see. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface LoginOptions {
  readonly settings: UserSettings;
  /** The user's environment. */
  readonly userEnv: Readonly<Record<string, string | undefined>>;
  readonly program: string;
  /** Of the run: its CODEX_HOME holds the linked login. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** There was a login file to link. */
  readonly linked: boolean;
  readonly signal: AbortSignal;
}

/** @throws CollabError `auth` with what to do, when there is none. */
export async function findLogin(options: LoginOptions): Promise<Login> {
  const { settings, userEnv } = options;
  const given = givenLogin(settings, userEnv);
  if (given !== null) return given;
  const label = options.linked ? await storedLogin(options) : null;
  if (label === null) throw notLoggedIn(settings);
  return { label, secrets: headerVariables(settings, userEnv) };
}

/** What `findLogin` will say Codex must see, known without asking Codex. @throws CollabError `auth` */
export function loginSecrets({
  settings,
  userEnv,
}: Pick<LoginOptions, 'settings' | 'userEnv'>): Login['secrets'] {
  return givenLogin(settings, userEnv)?.secrets ?? headerVariables(settings, userEnv);
}

/** One that the environment or the settings hold; null where Codex' own login is to be looked at. */
function givenLogin(settings: UserSettings, userEnv: LoginOptions['userEnv']): Login | null {
  const own = providerLogin(settings, userEnv);
  if (own !== null) return own;
  const apiKey = userEnv['CODEX_API_KEY'];
  return apiKey === undefined || apiKey === ''
    ? null
    : { label: 'API key', secrets: { CODEX_API_KEY: apiKey } };
}

/** A custom provider's own way in; null where it takes the OpenAI login. */
function providerLogin(settings: UserSettings, env: LoginOptions['userEnv']): Login | null {
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
    `Codex' model provider "${settings.providerId}" wants a key in ${keyName}, which is not set.`,
    {
      hint: `Set it: export ${keyName}=…`,
    },
  );
}

/** Variables that the provider's entry takes the values of headers from. */
function headerVariables({ provider }: UserSettings, env: LoginOptions['userEnv']): Record<string, string> {
  const names = Object.values(provider?.env_http_headers ?? {});
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** As `codex login status` tells it, in the run's CODEX_HOME; null when it knows none. */
async function storedLogin({ program, env, cwd, signal }: LoginOptions): Promise<string | null> {
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
  // Codex 0.169 says it on standard error.
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
