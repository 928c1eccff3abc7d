import { isAbsolute, resolve } from 'node:path';
import { actionIn, settings } from '../access/actions.ts';
import { may } from '../access/may.ts';
import type { Speaker } from '../access/speaker.ts';
import type { Config } from './config-schema.ts';
import type { CheckedConfig } from './check-config.ts';
import { parseDuration } from './duration.ts';
import { leavesFolder } from './folder-bounds.ts';
import { phases } from '../tags/tags.ts';
import type { Budgets, ReportTarget, Settings, ToolLeave, TurnLimits } from './settings.ts';
import { lowerLimits } from './repository-limits.ts';
import { absoluteScript } from './script-path.ts';

export interface ConfigPlace {
  /** The base of relative paths in the file. */
  readonly folder: string;
  /** The file name as the user would write it. */
  readonly name: string;
  /** The author of the file: the owner if the owner named or keeps it, otherwise the repository. */
  readonly speaker: Speaker;
  /** The top of the repository. A file below it may name no file outside, and no program. */
  readonly top: string;
  /** The settings that the file overrides: the owner's own configuration, or the defaults. */
  readonly base: Settings;
  /** Keys that the owner has set, with a flag or in the owner's file: a repository file adds nothing to them. */
  readonly said: ReadonlySet<string>;
  /** The file in which the owner may set the same, for hints. */
  readonly userFile: string | null;
}

export interface FileSettings {
  readonly config: Settings;
  /** Keys of the file that were ignored because they raise a limit. */
  readonly raised: readonly string[];
  /** The reports that this file requests. */
  readonly reports: readonly ReportTarget[];
  /** All keys that it sets. */
  readonly keys: readonly string[];
  /** Its own globs; those of the base settings are not among them. */
  readonly globs: FileGlobs;
}

export interface FileGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Applies the file's values to the base settings. @throws CollabError `config` */
export function toSettings({ config: written, refuse }: CheckedConfig, place: ConfigPlace): FileSettings {
  const { base } = place;
  const config = withoutSaid(written, place);
  const providers = providersOf(config, place, refuse);
  refuseForeignKeys(config, place, refuse);
  const reports = (config.reports ?? []).map(({ format, file }, index) => ({
    format,
    file: confinedPath(file, ['reports', index, 'file'], place, refuse),
  }));
  const pathOf = (key: 'instructions' | 'suppressions'): string | null => {
    const { [key]: path } = config;
    return path === undefined ? base[key] : confinedPath(path, [key], place, refuse);
  };
  const agentOf = (key: 'advisor' | 'lead'): string => {
    const { [key]: choice } = config;
    return choice === undefined ? base[key] : absoluteScript(choice, place.folder);
  };
  const wanted: Settings = {
    advisor: agentOf('advisor'),
    lead: agentOf('lead'),
    verify: config.verify ?? base.verify,
    allowStatic: config.allow_static ?? base.allowStatic,
    onAdvisorFailure: config.on_advisor_failure ?? base.onAdvisorFailure,
    failOn: config.fail_on ?? base.failOn,
    allowEmpty: config.allow_empty ?? base.allowEmpty,
    rules: config.rules ?? base.rules,
    failOnEmpty: config.fail_on_empty ?? base.failOnEmpty,
    format: config.format ?? base.format,
    reports: [...base.reports, ...reports],
    focus: config.focus ?? base.focus,
    instructions: pathOf('instructions'),
    suppressions: pathOf('suppressions'),
    include: config.include ?? base.include,
    exclude: [...base.exclude, ...(config.exclude ?? [])],
    language: config.language ?? base.language,
    timeLimitMs: config.time_limit === undefined ? base.timeLimitMs : parseDuration(config.time_limit),
    budgetUsd: config.budget_usd ?? base.budgetUsd,
    budgetTokens: config.budget_tokens ?? base.budgetTokens,
    budgetCalls: config.budget_calls ?? base.budgetCalls,
    concurrency: config.concurrency ?? base.concurrency,
    cache: config.cache ?? base.cache,
    chunkTokens: config.chunk_tokens ?? base.chunkTokens,
    limits: limitsOver(base.limits, config.limits),
    phaseLimits: phaseLimitsOf(config, base),
    budgets: budgetsOf(config, base),
    waitsMs: config.waits?.map(parseDuration) ?? base.waitsMs,
    providerPaths:
      config.provider_paths?.map((path, index) =>
        confinedPath(path, ['provider_paths', index], place, refuse),
      ) ?? base.providerPaths,
    providers,
    streamLimitSeconds:
      config.stream_limit_seconds === undefined ? base.streamLimitSeconds : config.stream_limit_seconds,
    tools: toolsOf(config, place, refuse),
  };
  const lowered = lowerLimits(place.speaker, base, wanted);
  const globs = { include: config.include ?? [], exclude: config.exclude ?? [] };
  return { config: lowered.settings, raised: lowered.raised, reports, keys: Object.keys(written), globs };
}

/** Drops keys that the owner has set, so that a file that may not set them is not refused for it. */
function withoutSaid(config: Config, { speaker, said }: ConfigPlace): Config {
  const left = Object.entries(config).filter(
    ([key]) => !said.has(key) || may(speaker, actionIn(settings, key)).allowed,
  );
  return Object.fromEntries(left);
}

/** A file that merely is in the repository may not choose who answers or what is executed. */
function refuseForeignKeys(config: Config, { speaker, name, userFile }: ConfigPlace, refuse: Refuse): void {
  for (const [key, value] of Object.entries(config)) {
    if (value === undefined || choosesNobody(key, value)) continue;
    if (may(speaker, actionIn(settings, key)).allowed) continue;
    const flag = key === 'advisor' || key === 'lead' ? `--${key} ${config[key]}, or ` : '';
    const own = userFile === null ? '' : `${flag}${key}: in ${userFile}; `;
    throw refuse(
      [key],
      'a file of the repository does not set this',
      `Set it yourself: ${own}or trust this file as your own: --config ${name}`,
    );
  }
}

/** `auto` names no agent, and `none` removes one. */
function choosesNobody(key: string, value: unknown): boolean {
  return (key === 'advisor' || key === 'lead') && (value === 'auto' || (key === 'lead' && value === 'none'));
}

type Refuse = CheckedConfig['refuse'];

function phaseLimitsOf(
  { limits, phase_limits: written = {} }: Config,
  base: Settings,
): Settings['phaseLimits'] {
  const usual = limitsOver(base.limits, limits);
  const named = phases.filter((phase) => written[phase] !== undefined);
  const own = named.map((phase) => [phase, limitsOver(base.phaseLimits[phase] ?? usual, written[phase])]);
  return { ...base.phaseLimits, ...Object.fromEntries(own) };
}

function limitsOver(usual: TurnLimits, written: Config['limits']): TurnLimits {
  return {
    firstSignMs: durationOr(usual.firstSignMs, written?.first_sign),
    firstByteMs: durationOr(usual.firstByteMs, written?.first_byte),
    idleMs: durationOr(usual.idleMs, written?.idle),
    totalMs: durationOr(usual.totalMs, written?.total),
  };
}

function durationOr(defaultMs: number, written: string | undefined): number {
  return written === undefined ? defaultMs : parseDuration(written);
}

function budgetsOf({ budgets = {} }: Config, { budgets: usual }: Settings): Budgets {
  return {
    repairing: budgets.repairing ?? usual.repairing,
    completing: budgets.completing ?? usual.completing,
    recontextualising: budgets.recontextualising ?? usual.recontextualising,
    shortening: budgets.shortening ?? usual.shortening,
    waiting: budgets.waiting ?? usual.waiting,
    answering: budgets.answering ?? usual.answering,
    attempts: budgets.attempts ?? usual.attempts,
  };
}

function providersOf({ providers = {} }: Config, place: ConfigPlace, refuse: Refuse): Settings['providers'] {
  const own = Object.fromEntries(
    Object.entries(providers).map(([name, written]) => [
      name,
      {
        ...place.base.providers[name],
        ...Object.fromEntries(
          Object.entries(written).map(([key, value]) => {
            const at = ['providers', name, key];
            if (key === 'folder')
              throw refuse(at, `${name}.folder can be set only on the command line`, nameRemedy);
            if (key === 'base_url') refuseStrangersAddress(String(value), at, place, refuse);
            return [key, key === 'path' ? programPath(String(value), at, place, refuse) : String(value)];
          }),
        ),
      },
    ]),
  );
  return { ...place.base.providers, ...own };
}

/** A foreign file may take a permission away; it grants none and allows no network access. */
function toolsOf({ tools = {} }: Config, { speaker, base }: ConfigPlace, refuse: Refuse): Settings['tools'] {
  const { policy = {}, web_fetch: fetch } = tools;
  const rules = Object.entries(policy).map(([name, rule]): [string, ToolLeave] => [
    name,
    typeof rule === 'string' ? { agent: rule } : rule,
  ]);
  const strictly = ([name, rule]: [string, ToolLeave]) =>
    [name, strictRule(ownRule(base, name), rule)] as const;
  const mayAllow = may(speaker, { does: 'allow a tool' }).allowed;
  if (!mayAllow) {
    const loose = rules.find(([, { agent }]) => agent === 'allow');
    if (loose !== undefined) {
      throw refuse(
        ['tools', 'policy', loose[0]],
        'the repository itself allows a tool to run unasked',
        leaveRemedy,
      );
    }
    if (fetch !== undefined) {
      throw refuse(['tools', 'web_fetch'], 'the repository itself opens a way to the web', leaveRemedy);
    }
  }
  return {
    policy: { ...base.tools.policy, ...Object.fromEntries(mayAllow ? rules : rules.map(strictly)) },
    webFetch:
      fetch === undefined
        ? base.tools.webFetch
        : { hosts: fetch.hosts ?? null, privateAddresses: fetch.private_addresses ?? false },
  };
}

/** Returns the owner's rule that is closest to a name or a group such as `git.*`. */
function ownRule({ tools: { policy } }: Settings, name: string): ToolLeave | undefined {
  const parts = name.split('.').filter((part) => part !== '*');
  const groups = parts.map((_part, index) => `${parts.slice(0, parts.length - index).join('.')}.*`);
  return [name, ...groups, '*'].flatMap((pattern) => policy[pattern] ?? [])[0];
}

/** Keeps what the owner's own rule for the same tools denies. */
function strictRule(own: ToolLeave | undefined, written: ToolLeave): ToolLeave {
  return {
    ...written,
    ...(own?.agent === 'deny' ? { agent: 'deny' } : {}),
    ...(own?.user === 'deny' ? { user: 'deny' } : {}),
  };
}

function confinedPath(
  written: string,
  at: readonly PropertyKey[],
  { folder, speaker, top }: ConfigPlace,
  refuse: Refuse,
): string {
  const path = resolve(folder, written);
  const mayName = may(speaker, { does: 'name a path' }).allowed;
  if (mayName || !leavesFolder(path, top)) return path;
  throw refuse(at, `${written} leads out of ${top}`, fileRemedy);
}

function programPath(
  written: string,
  at: readonly PropertyKey[],
  { folder, speaker, top }: ConfigPlace,
  refuse: Refuse,
): string {
  const path = resolve(folder, written);
  const mayName = may(speaker, { does: 'name a path' }).allowed;
  if (mayName || (isAbsolute(written) && leavesFolder(path, top))) return path;
  throw refuse(at, `${written} is a program of the repository under review`, programRemedy);
}

/** The address would receive the user's key and the text. */
function refuseStrangersAddress(
  written: string,
  at: readonly PropertyKey[],
  { speaker }: ConfigPlace,
  refuse: Refuse,
): void {
  if (may(speaker, { does: 'configure an agent' }).allowed) return;
  throw refuse(at, `${written} is an address that the repository under review names`, addressRemedy);
}

const nameRemedy =
  'Add its parent folder to provider_paths, and choose the provider with --advisor or --lead.';
const leaveRemedy = 'A file in the repository may only ask or deny. Name the configuration with --config.';
const fileRemedy = 'Name such a file on the command line, or name the configuration with --config.';
const addressRemedy = 'This address would get your key. To allow it, name the configuration with --config.';
const programRemedy = 'Use an absolute path outside it, or name the configuration with --config.';
