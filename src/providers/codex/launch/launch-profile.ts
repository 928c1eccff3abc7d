/** Builds the launch of Codex so that it uses no set-up of the user or the repository (test/agents/traps.md, Isolation). */
import { codexAdvisorPrompt } from '../../../prompts/system-prompts.ts';
import { homeVariables, joinPath, passedOn, systemFolders, type Platform } from '../../../system/platform.ts';
import type { ConnectOptions } from './connect.ts';
import type { CodexStateFolders } from './state-folders.ts';
import { renderToml, type TomlValue } from './toml.ts';
import type { UserSettings } from './user-settings.ts';

export type LaunchProfile = Pick<ConnectOptions, 'args' | 'env' | 'cwd'>;

/** How a server is started, and the properties of its conversations. */
export interface CodexLaunch extends ConnectOptions {
  /** True if the model has commands and a place to run them. */
  readonly runsCommands: boolean;
}

export interface LaunchOptions {
  readonly folders: CodexStateFolders;
  readonly settings: UserSettings;
  /** Overrides the user's model. */
  readonly model: string | null;
  /** The only files, beside the system's minimal set and Codex's own, that a command may read; null: there are no commands. */
  readonly reviewFolder: string | null;
  /** The path that the sandbox needs to start (`CodexProgram.readable`). */
  readonly readable: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders of PATH, without those of the repository. */
  readonly path: readonly string[];
  /** The login's variables: names and values that Codex itself needs. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly platform: Platform;
}

export const permissionProfile = 'collab';

export function buildLaunchProfile(options: LaunchOptions): LaunchProfile {
  const { folders, settings } = options;
  const provider = settings.provider === null ? null : hideSecrets(settings.provider);
  const env = buildEnvironment({ ...options, codexHome: folders.codex, home: folders.home });
  return {
    args: [
      ...disableFeatures,
      ...(runsCommands(options) ? [] : disable('shell_tool')),
      ...flags(isolation(options)),
      ...flags(choices(options, provider?.entry ?? null)),
    ],
    env: { ...env, ...options.secrets, ...provider?.secrets, ...(!runsCommands(options) && noEnvironment) },
    cwd: folders.empty,
  };
}

/** Returns every option of ours at once, without the user's choices: a program that lacks one is found before a run. */
export function probeArguments(place: {
  readonly readable: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: Platform;
}): readonly string[] {
  const settings = isolation({ ...place, reviewFolder: place.cwd });
  return [...disableFeatures, ...disable('shell_tool'), ...flags(settings)];
}

/** Returns the options to start a run's server. */
export function launchOptions(
  place: Pick<LaunchOptions, 'folders' | 'settings' | 'path' | 'platform' | 'readable' | 'secrets'> & {
    readonly program: string;
  },
  run: Pick<LaunchOptions, 'model' | 'reviewFolder' | 'env'> & {
    readonly limits: { readonly firstSignMs: number };
  },
): CodexLaunch {
  const { model, reviewFolder, env } = run;
  const profile = buildLaunchProfile({ ...place, model, reviewFolder, env });
  return {
    file: place.program,
    args: ['app-server', ...profile.args],
    cwd: profile.cwd,
    env: profile.env,
    timeoutMs: run.limits.firstSignMs,
    runsCommands: runsCommands(run),
  };
}

/** Builds the environment by allow-list; all other variables of the caller are left out. */
export function buildEnvironment(options: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly path: readonly string[];
  readonly home: string;
  readonly codexHome: string;
  readonly platform: Platform;
}): Record<string, string> {
  const { env, platform } = options;
  const path = options.path.length > 0 ? options.path : systemFolders(env, platform);
  return {
    ...passedOn(['CODEX_CA_CERTIFICATE'], env, platform),
    PATH: joinPath(path, platform),
    ...homeVariables(options.home, platform),
    CODEX_HOME: options.codexHome,
    // Codex runs `git status` at its start; this keeps it from finding the repository.
    GIT_DIR: nowhere,
    LANG: 'C.UTF-8',
  };
}

export const disableFeatures: readonly string[] = [
  'plugins',
  'apps',
  'hooks',
  'shell_snapshot',
  'goals',
  'multi_agent',
  'unbounded_connection_retries',
].flatMap(disable);

/** Without a review folder there is nothing to read, so commands are disabled (ADR 12). */
function runsCommands({ reviewFolder }: Pick<LaunchOptions, 'reviewFolder'>): boolean {
  return reviewFolder !== null;
}

/**
 * Gives no conversation of the server an environment for commands. `environments: []` in `thread/start` does the same, but
 * `thread/resume` neither keeps nor accepts it (0.169).
 */
const noEnvironment = { CODEX_EXEC_SERVER_URL: 'none' };

function disable(feature: string): readonly string[] {
  return ['--disable', feature];
}

const nowhere = '/nonexistent';
type Settings = readonly (readonly [string, TomlValue])[];

function isolation({
  env,
  platform,
  reviewFolder,
  readable,
}: Pick<LaunchOptions, 'env' | 'platform' | 'reviewFolder' | 'readable'>): Settings {
  const commandPath = joinPath(systemFolders(env, platform), platform);
  return [
    ['project_doc_max_bytes', 0],
    ['skills.include_instructions', false],
    ['skills.bundled.enabled', false],
    ['web_search', 'disabled'],
    ['notify', []],
    ['developer_instructions', codexAdvisorPrompt(reviewFolder)],
    ['allow_login_shell', false],
    ['shell_environment_policy.inherit', 'none'],
    ['shell_environment_policy.set', { PATH: commandPath, HOME: nowhere, LANG: 'C.UTF-8', GIT_DIR: nowhere }],
    ['default_permissions', permissionProfile],
    [`permissions.${permissionProfile}.filesystem`, readableFiles(reviewFolder, readable)],
    [`permissions.${permissionProfile}.network`, { enabled: false }],
  ];
}

function readableFiles(reviewFolder: string | null, readable: string): TomlValue {
  return {
    ':minimal': 'read',
    [readable]: 'read',
    ...(reviewFolder !== null && {
      [reviewFolder]: 'read',
      [`${reviewFolder}/.git`]: 'deny',
      [`${reviewFolder}/**/.env`]: 'deny',
      [`${reviewFolder}/**/.env.*`]: 'deny',
    }),
    ':workspace_roots': { '.': 'read' },
  };
}

/** Returns the user's own choices, the only settings of theirs that are passed on. */
function choices({ settings, model }: LaunchOptions, entry: TomlValue): Settings {
  const { providerId } = settings;
  const all: Settings = [
    ['model', model ?? settings.model],
    ['model_reasoning_effort', settings.reasoningEffort],
    ['model_provider', providerId],
    ['model_providers', providerId === null || entry === null ? null : { [providerId]: entry }],
    ['openai_base_url', settings.openaiBaseUrl],
    ['chatgpt_base_url', settings.chatgptBaseUrl],
  ];
  return all.filter(([, value]) => value !== null);
}

type ProviderEntry = NonNullable<UserSettings['provider']>;

/**
 * Moves a token and the values of headers into the environment, because arguments are visible to every user of the machine. We
 * repeat requests and end silent streams ourselves, so Codex does neither.
 */
function hideSecrets({ experimental_bearer_token: token, http_headers: headers, ...entry }: ProviderEntry) {
  const secrets: Record<string, string> = {};
  const headerNames: Record<string, string> = {};
  for (const [index, [header, value]] of Object.entries(headers ?? {}).entries()) {
    headerNames[header] = `COLLAB_CODEX_HEADER_${index}`;
    secrets[`COLLAB_CODEX_HEADER_${index}`] = value;
  }
  if (token !== null) secrets['COLLAB_CODEX_TOKEN'] = token;
  const hidden: TomlValue = {
    ...entry,
    ...(token !== null && { env_key: 'COLLAB_CODEX_TOKEN' }),
    env_http_headers: { ...entry.env_http_headers, ...headerNames },
    request_max_retries: 0,
    stream_max_retries: 0,
    stream_idle_timeout_ms: 24 * 60 * 60 * 1000,
  };
  return { entry: hidden, secrets };
}

function flags(settings: Settings): readonly string[] {
  return settings.flatMap(([key, value]) => ['-c', `${key}=${renderToml(value)}`]);
}
