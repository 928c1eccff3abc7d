import { isAbsolute, resolve } from 'node:path';
import type { Config } from './config-schema.ts';
import type { CheckedConfig } from './check-config.ts';
import { parseDuration } from './duration.ts';
import { leavesFolder } from './folder-bounds.ts';
import { phases } from '../tags/tags.ts';
import { defaultSettings, type Budgets, type Settings, type ToolLeave, type TurnLimits } from './settings.ts';

export interface ConfigPlace {
  /** Relative paths in the file start here. */
  readonly folder: string;
  /**
   * A file that merely lies in the repository may be a stranger's: it may not name files outside of this folder to be sent or
   * overwritten, nor a program inside of it to be started. Null for a file that the user named.
   */
  readonly confinedTo: string | null;
}

/** The defaults with the file's values over them. @throws CollabError `config` */
export function toSettings({ config, refuse }: CheckedConfig, place: ConfigPlace): Settings {
  return {
    advisor: config.advisor ?? defaultSettings.advisor,
    lead: config.lead ?? defaultSettings.lead,
    verify: config.verify ?? defaultSettings.verify,
    allowStatic: config.allow_static ?? defaultSettings.allowStatic,
    onAdvisorFailure: config.on_advisor_failure ?? defaultSettings.onAdvisorFailure,
    failOn: config.fail_on ?? defaultSettings.failOn,
    allowEmpty: config.allow_empty ?? defaultSettings.allowEmpty,
    failOnEmpty: config.fail_on_empty ?? defaultSettings.failOnEmpty,
    format: config.format ?? defaultSettings.format,
    reports: (config.reports ?? []).map(({ format, file }, index) => ({
      format,
      file: confinedPath(file, ['reports', index, 'file'], place, refuse),
    })),
    focus: config.focus ?? null,
    instructions:
      config.instructions === undefined
        ? null
        : confinedPath(config.instructions, ['instructions'], place, refuse),
    suppressions:
      config.suppressions === undefined
        ? null
        : confinedPath(config.suppressions, ['suppressions'], place, refuse),
    include: config.include ?? [],
    exclude: config.exclude ?? [],
    language: config.language ?? null,
    timeLimitMs: config.time_limit === undefined ? null : parseDuration(config.time_limit),
    budgetUsd: config.budget_usd ?? defaultSettings.budgetUsd,
    budgetTokens: config.budget_tokens ?? defaultSettings.budgetTokens,
    budgetCalls: config.budget_calls ?? defaultSettings.budgetCalls,
    concurrency: config.concurrency ?? defaultSettings.concurrency,
    cache: config.cache ?? defaultSettings.cache,
    chunkTokens: config.chunk_tokens ?? defaultSettings.chunkTokens,
    limits: limitsOver(defaultSettings.limits, config.limits),
    phaseLimits: phaseLimitsOf(config),
    budgets: budgetsOf(config),
    waitsMs: config.waits?.map(parseDuration) ?? defaultSettings.waitsMs,
    providerPaths:
      config.provider_paths?.map((path, index) =>
        confinedPath(path, ['provider_paths', index], place, refuse),
      ) ?? null,
    providers: providersOf(config, place, refuse),
    streamLimitSeconds:
      config.stream_limit_seconds === undefined
        ? defaultSettings.streamLimitSeconds
        : config.stream_limit_seconds,
    tools: toolsOf(config, place, refuse),
  };
}

type Refuse = CheckedConfig['refuse'];

function phaseLimitsOf({ limits, phase_limits: written = {} }: Config): Settings['phaseLimits'] {
  const usual = limitsOver(defaultSettings.limits, limits);
  const named = phases.filter((phase) => written[phase] !== undefined);
  return Object.fromEntries(named.map((phase) => [phase, limitsOver(usual, written[phase])]));
}

function limitsOver(usual: TurnLimits, written: Config['limits']): TurnLimits {
  return {
    firstSignMs: durationOr(usual.firstSignMs, written?.first_sign),
    idleMs: durationOr(usual.idleMs, written?.idle),
    totalMs: durationOr(usual.totalMs, written?.total),
  };
}

function durationOr(defaultMs: number, written: string | undefined): number {
  return written === undefined ? defaultMs : parseDuration(written);
}

function budgetsOf({ budgets = {} }: Config): Budgets {
  const { budgets: usual } = defaultSettings;
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
  return Object.fromEntries(
    Object.entries(providers).map(([name, settings]) => [
      name,
      Object.fromEntries(
        Object.entries(settings).map(([key, value]) => {
          const at = ['providers', name, key];
          if (key === 'folder')
            throw refuse(at, `${name}.folder is set by nobody but the command line`, nameRemedy);
          if (key === 'base_url') refuseStrangersAddress(String(value), at, place, refuse);
          return [key, key === 'path' ? programPath(String(value), at, place, refuse) : String(value)];
        }),
      ),
    ]),
  );
}

/** A stranger's file may take leave away; it gives none, and opens no way out. */
function toolsOf({ tools = {} }: Config, { confinedTo }: ConfigPlace, refuse: Refuse): Settings['tools'] {
  const { policy = {}, web_fetch: fetch } = tools;
  const rules = Object.entries(policy).map(([name, rule]): [string, ToolLeave] => [
    name,
    typeof rule === 'string' ? { agent: rule } : rule,
  ]);
  if (confinedTo !== null) {
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
    policy: Object.fromEntries(rules),
    webFetch:
      fetch === undefined
        ? null
        : { hosts: fetch.hosts ?? null, privateAddresses: fetch.private_addresses ?? false },
  };
}

function confinedPath(
  written: string,
  at: readonly PropertyKey[],
  { folder, confinedTo }: ConfigPlace,
  refuse: Refuse,
): string {
  const path = resolve(folder, written);
  if (confinedTo === null || !leavesFolder(path, confinedTo)) return path;
  throw refuse(at, `${written} leads out of ${confinedTo}`, fileRemedy);
}

function programPath(
  written: string,
  at: readonly PropertyKey[],
  { folder, confinedTo }: ConfigPlace,
  refuse: Refuse,
): string {
  const path = resolve(folder, written);
  if (confinedTo === null || (isAbsolute(written) && leavesFolder(path, confinedTo))) return path;
  throw refuse(at, `${written} is a program of the repository under review`, programRemedy);
}

/** It would be sent the user's key, with the text. */
function refuseStrangersAddress(
  written: string,
  at: readonly PropertyKey[],
  { confinedTo }: ConfigPlace,
  refuse: Refuse,
): void {
  if (confinedTo === null) return;
  throw refuse(at, `${written} is an address that the repository under review names`, addressRemedy);
}

const nameRemedy =
  'List the folder around it under provider_paths, and choose the provider with --advisor or --lead';
const leaveRemedy =
  'A file that lies in the repository may only ask or deny: name the configuration itself with --config';
const fileRemedy = 'Name such a file on the command line, or name the configuration itself with --config';
const addressRemedy = 'It would get your key: name the configuration itself with --config';
const programRemedy = 'Give an absolute path outside of it, or name the configuration itself with --config';
