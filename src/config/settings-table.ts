/**
 * The one table of settings: a row each. The schema of `collab.config.yaml`, the file of `collab init`, flags and
 * their help, the HTTP fields, the merge of files and requests and the settings in `input.json` are derived from it. A
 * setting is written in snake_case everywhere; a time has the suffix `_ms` inside the program.
 */
import type { Deed } from '../access/permissions.ts';
import { contextLevels } from '../parsers/diff/widen-change.ts';
import { effortLevels } from '../tags/effort.ts';
import { failOnGrades } from '../tags/severities.ts';
import { reportFormats } from '../views/reports/report-formats.ts';
import {
  agent,
  amount,
  choice,
  count,
  countIfSet,
  countOrNull,
  duration,
  durations,
  globs,
  language,
  path,
  paths,
  reports,
  freeText,
  yesNoOrAuto,
  yesOrNo,
  type NamesPath,
  type SettingType,
} from './setting-types.ts';
import { ruleSets } from './settings.ts';
import { budgets, limits, phaseLimits, providers, toolSettings } from './structures.ts';
import { overloadedWaitsMs, streamLimitSeconds } from './waits.ts';

/** The commands with flags of settings. Those of `review` and `run` are also HTTP fields, except paths. */
export type SettingCommand = 'review' | 'run' | 'fix' | 'consult' | 'chat' | 'serve';

export interface SettingRow {
  readonly is: SettingType<unknown, unknown, string>;
  /** For editors, the file of `collab init` and the description of the routes. The default is added. */
  readonly about: string;
  /** Describes the default, if the value itself would not. */
  readonly usually?: string;
  /** An example for the file of `collab init`, in YAML, for a setting whose default shows nothing. */
  readonly example?: string;
  /** The action of setting it; `src/access` decides who may do it. A path in a request is always `name a path`. */
  readonly deed: Deed;
  /** The help of its flag in each command that has it; `{advisors}`, `{reviewers}`, `{leads}` are lists of providers. */
  readonly flag?: Readonly<Partial<Record<SettingCommand, string>>>;
  /** The help of its flag `--no-…`. */
  readonly noFlag?: Readonly<Partial<Record<SettingCommand, string>>>;
  /** The name of the flag, if it has another one: a repeatable flag is singular. */
  readonly flagName?: string;
  /** When a list is added to the one that it would replace: always, or only by a request. */
  readonly adds?: 'always' | 'by request';
  /**
   * Present if runs keep it in their input; `before` is its value in a run that was started before the setting existed, if that
   * is not the default.
   */
  readonly kept?: { readonly before?: unknown };
}

const pairs = ['review', 'run', 'fix'] as const;
const everyRun = [...pairs, 'consult'] as const;
const paidCommands = [...everyRun, 'chat'] as const;

function on<Command extends SettingCommand>(
  commands: readonly Command[],
  help: string,
): Readonly<Record<Command, string>>;
function on(commands: readonly SettingCommand[], help: string): SettingRow['flag'] {
  return Object.fromEntries(commands.map((command) => [command, help]));
}

export const settingsTable = {
  advisor: {
    is: agent(),
    about: 'Who reviews: auto, <provider> or <provider>:<model>.',
    deed: 'choose the advisor',
    flag: {
      review: 'choose the reviewer: {reviewers}',
      ...on(['run', 'fix', 'consult', 'chat', 'serve'], 'choose the advisor: {advisors}'),
    },
  },
  lead: {
    is: agent(),
    about: 'Who leads: auto, caller, none, <provider> or <provider>:<model>.',
    deed: 'choose the lead',
    flag: {
      review:
        'choose who answers the advisor: caller, none, {leads}; auto: the caller inside Claude Code, else none',
      ...on(['run', 'fix'], 'choose the lead: caller, {leads}; a bare model changes no file'),
      chat: 'choose the lead: {chatLeads}',
      serve: 'choose the lead: {leads}',
    },
  },
  effort: {
    is: choice('level', effortLevels, 'standard'),
    about:
      'How much work a review does. quick: one pass; standard: one pass, and a check of Critical and Important findings; deep: a pass for each kind of fault, passes for what was missed, and the check.',
    // A level costs more calls than the one before it.
    deed: 'lower a limit',
    flag: { review: 'choose how much work the review does' },
    kept: { before: 'quick' },
  },
  verify: {
    is: yesNoOrAuto(),
    about:
      'Whether Critical and Important findings are checked: by the lead, or without one by the advisor in a fresh thread; auto: unless the effort is quick.',
    deed: 'word and narrow',
    flag: { review: 'check findings (default: unless the effort is quick)' },
    noFlag: { review: 'skip the check of findings' },
  },
  allow_static: {
    is: yesOrNo(false),
    about: 'With CI set: accept static checks if no model is available.',
    deed: 'word and narrow',
    flag: { review: 'with CI set: accept static checks if no model is available' },
  },
  on_advisor_failure: {
    is: choice('word', ['stop', 'continue'], 'stop'),
    about: 'In collab run: whether the lead continues after a consult without an answer.',
    deed: 'word and narrow',
  },
  fail_on: {
    is: choice('severity', failOnGrades, 'critical'),
    about: 'Exit 1 at this severity or worse.',
    deed: 'word and narrow',
    flag: on(pairs, 'exit 1 at this severity or worse'),
    kept: {},
  },
  allow_empty: {
    is: yesOrNo(false),
    about: 'Accept an empty diff.',
    deed: 'word and narrow',
    flag: { review: 'accept an empty diff' },
  },
  fail_on_empty: {
    is: yesOrNo(false),
    about: 'Exit 3 if every file of the change is skipped.',
    deed: 'word and narrow',
    flag: { review: 'exit 3 if every file of the change is skipped' },
    kept: {},
  },
  rules: {
    is: choice('set', ruleSets, 'default'),
    about: 'Rules for static checks: default, or all, including rules that are often irrelevant.',
    usually: '',
    deed: 'word and narrow',
    flag: { review: 'choose the rules for static checks' },
    kept: {},
  },
  format: {
    is: choice('format', reportFormats, 'terminal'),
    about: 'Format of standard output.',
    deed: 'choose what is shown',
  },
  reports: {
    is: reports(),
    about: "Report files to write as well. A repository's file may name paths below .collab/reports alone.",
    example: '[{ format: json, file: .collab/reports/review.json }]',
    // For an existing file that collab did not write: `write over a file`.
    deed: 'write a new report',
    flag: on(pairs, 'also write a report file; repeatable'),
    flagName: 'report',
    adds: 'always',
  },
  focus: {
    is: freeText(10_000),
    about: 'What the review should focus on.',
    example: 'the locking',
    deed: 'word and narrow',
    flag: { review: 'name what the review should focus on' },
    kept: {},
  },
  instructions: {
    is: path(),
    about: "A file with the project's review instructions.",
    usually: 'Default REVIEW.md, if it exists.',
    example: 'docs/review.md',
    deed: 'word and narrow',
    flag: on(pairs, 'read review instructions from this file (default: REVIEW.md)'),
  },
  conventions: {
    is: yesOrNo(true),
    about: "Whether requests contain the repository's AGENTS.md, CLAUDE.md and CONTRIBUTING.md.",
    deed: 'word and narrow',
    noFlag: on(pairs, 'send no AGENTS.md, CLAUDE.md and CONTRIBUTING.md'),
    kept: { before: false },
  },
  context: {
    is: choice('context', contextLevels, 'files'),
    about:
      'What requests show around a change: no more than git (diff), functions, also small files, also tests (related).',
    deed: 'word and narrow',
    flag: on(pairs, 'show functions, small files or tests around changes'),
    kept: {},
  },
  suppressions: {
    is: path(),
    about: 'A file with findings that do not count, such as collab.suppressions.yaml.',
    example: 'collab.suppressions.yaml',
    deed: 'word and narrow',
    flag: { review: 'read findings that do not count from this file' },
  },
  include: {
    is: globs(),
    about: 'Review only files that match one of these globs, even generated, vendored and lock files.',
    example: "['src/**']",
    deed: 'word and narrow',
    flag: { review: 'review only matching files, even generated ones; repeatable' },
    adds: 'by request',
    kept: {},
  },
  exclude: {
    is: globs(),
    about: 'Exclude files that match one of these globs.',
    example: "['docs/**']",
    deed: 'word and narrow',
    flag: { review: 'exclude matching files; repeatable' },
    adds: 'always',
    kept: {},
  },
  language: {
    is: language(),
    about: "The language of the advisor's text, as a BCP 47 tag.",
    example: 'en',
    deed: 'word and narrow',
    flag: {
      ...on(['review', 'consult'], "set the language of the advisor's text, e.g. ja"),
      ...on(['run', 'fix'], 'set the language of both agents, e.g. ja'),
      chat: "set the language of the lead's text, e.g. ja",
      serve: 'set the language of agents and stream, e.g. en',
    },
    kept: {},
  },
  time_limit: {
    is: duration(),
    about: 'Limit of the whole run.',
    usually: 'Default: 1h per 10 exchanges of a review, rounded up.',
    example: '1h',
    deed: 'lower a limit',
    flag: {
      ...on(['review', 'consult'], 'limit the whole run, e.g. to 20m'),
      ...on(['run', 'fix'], 'limit the whole run, e.g. to 2h'),
    },
    kept: {},
  },
  budget_usd: {
    is: amount(1_000_000),
    about: 'Limit of the cost of all calls of a run, in US dollars.',
    usually: 'Default: no limit.',
    example: '5',
    deed: 'lower a limit',
    flag: on(paidCommands, 'limit the cost of all calls, in US dollars'),
    kept: {},
  },
  budget_tokens: {
    is: countIfSet({ most: 1_000_000_000_000 }),
    about: 'Limit of the tokens of all calls of a run, of every kind.',
    usually: 'Default: no limit.',
    example: '500000',
    deed: 'lower a limit',
    flag: on(paidCommands, 'limit the tokens of all calls, of every kind'),
    kept: {},
  },
  budget_calls: {
    is: countIfSet({ most: 100_000 }),
    about: 'Limit of the agent calls of a run, including repeats.',
    usually: 'Default: no limit.',
    example: '40',
    deed: 'lower a limit',
    flag: on(paidCommands, 'limit the number of agent calls, including repeats'),
    kept: {},
  },
  cache: {
    is: yesOrNo(true),
    about: 'Whether earlier runs answer unchanged chunks of a review.',
    deed: 'word and narrow',
    noFlag: { review: 'ignore answers of earlier runs and store none' },
    kept: { before: false },
  },
  concurrency: {
    is: count(4, { most: 64 }),
    about: 'Number of parallel exchanges.',
    deed: 'lower a limit',
    flag: {
      review: 'set the number of parallel exchanges',
      ...on(['run', 'fix'], 'set the number of parallel exchanges in a review'),
    },
    kept: {},
  },
  chunk_tokens: {
    is: count(24_000, { least: 500, most: 1_000_000 }),
    about: 'Diff bytes / 4 in one exchange.',
    // Not a limit: a smaller value costs more.
    deed: 'word and narrow',
    kept: {},
  },
  limits: {
    is: limits(),
    about: 'Limits of one agent turn.',
    deed: 'lower a limit',
    kept: {},
  },
  phase_limits: {
    is: phaseLimits(),
    about: 'Limits of one agent turn in one phase; they override `limits`.',
    example: '{ implementation: { total: 1h } }',
    deed: 'lower a limit',
    kept: {},
  },
  budgets: {
    is: budgets(),
    about: 'Limits of repeats in one exchange.',
    deed: 'lower a limit',
    kept: {},
  },
  waits: {
    is: durations(overloadedWaitsMs),
    about: 'Waits before the first, second … repeat of an overloaded call.',
    deed: 'lower a limit',
    kept: {},
  },
  provider_paths: {
    is: paths(),
    about: 'Folders that contain your own providers.',
    usually: 'Default: ai_client, if it exists.',
    example: '[ai_client]',
    deed: "run a provider's folder",
  },
  providers: {
    is: providers(),
    about: 'Settings of a provider by its name, such as codex: { path: /opt/codex/bin/codex }.',
    example: '{ codex: { path: /opt/codex/bin/codex } }',
    deed: 'configure an agent',
  },
  stream_limit_seconds: {
    is: countOrNull(streamLimitSeconds, { most: 86_400 }),
    about: 'Limit of a conversation turn that collab serve streams; null: none.',
    deed: 'lower a limit',
  },
  tools: {
    is: toolSettings(),
    about: 'Tools of a conversation, and who may use them without a question.',
    example: '{ policy: { Bash: deny } }',
    // A rule may ask or deny; one that allows needs `allow a tool`.
    deed: 'word and narrow',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

type Table = typeof settingsTable;
export type SettingName = keyof Table;
type KeyOf<Name extends SettingName> = `${Name}${Table[Name]['is']['unit']}`;

/** The settings of a run, with files and flags merged. */
export type Settings = { readonly [Name in SettingName as KeyOf<Name>]: Table[Name]['is']['default'] };

/** Settings whose value is a path. */
export type PathSetting = {
  [Name in SettingName]: Table[Name]['is'] extends NamesPath ? Name : never;
}[SettingName];

type KeptName = { [Name in SettingName]: Table[Name] extends { kept: object } ? Name : never }[SettingName];
/** The settings that a run keeps in its input. */
export type KeptSettings = { [Name in KeptName as KeyOf<Name>]: Table[Name]['is']['default'] };

/** The settings that are flags of a command. */
export type FlagSetting<Command extends SettingCommand> = {
  [Name in SettingName]: Command extends FlagsIn<Table[Name], 'flag'> | FlagsIn<Table[Name], 'noFlag'>
    ? Name
    : never;
}[SettingName];
type FlagsIn<Row, Key extends 'flag' | 'noFlag'> = Row extends Record<Key, infer Help> ? keyof Help : never;

/** Settings as a file, a field or a flag has them. */
export type SettingWords = {
  readonly [Name in SettingName]?: Parameters<Table[Name]['is']['read']>[0] | undefined;
};
export type FlagWords<Command extends SettingCommand> = Pick<SettingWords, FlagSetting<Command>>;

export const settingNames: readonly SettingName[] = Object.keys(settingsTable).filter(isSetting);

export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name);
}

export function isKept(name: SettingName): boolean {
  return settingRow(name).kept !== undefined;
}

export function settingRow(name: SettingName): SettingRow {
  return settingsTable[name];
}

/** Returns the settings that have flags in a command, which are also the words of its requests. */
export function flagSettings(command: SettingCommand): readonly SettingName[] {
  return settingNames.filter((name) => {
    const { flag, noFlag } = settingRow(name);
    return flag?.[command] !== undefined || noFlag?.[command] !== undefined;
  });
}

/** Returns the name of a setting's flag, without leading hyphens. */
export function flagName(name: SettingName): string {
  return settingRow(name).flagName ?? name.replaceAll('_', '-');
}

/** Returns the action of setting it in a request. A request names a path itself; in a file, the file's author does. */
export function requestDeed(name: SettingName): Deed {
  const { is, deed } = settingRow(name);
  return namesPath(is) ? 'name a path' : deed;
}

function namesPath(is: object): is is NamesPath {
  return 'namesPath' in is;
}

/** Returns the key of a setting inside the program. */
export function settingKey(name: SettingName): keyof Settings;
export function settingKey(name: SettingName): string {
  return `${name}${settingsTable[name].is.unit}`;
}

/** `valueOf` returns the value of a row's type. */
export function settingsFrom(valueOf: (name: SettingName) => unknown): Settings;
export function settingsFrom(valueOf: (name: SettingName) => unknown): object {
  return Object.fromEntries(settingNames.map((name) => [settingKey(name), valueOf(name)]));
}

/** The settings if neither a file nor a flag sets them. */
export const defaultSettings: Settings = settingsFrom((name) => settingRow(name).is.default);
