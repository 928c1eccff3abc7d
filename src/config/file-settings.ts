/** The settings of one file, within the permissions of the file's author. */
import { isAbsolute, join, resolve } from 'node:path';
import { may } from '../access/permissions.ts';
import type { Speaker } from '../access/speaker.ts';
import { applySettings } from './apply-settings.ts';
import type { CheckedConfig } from './check-config.ts';
import { leavesFolder } from './folder-bounds.ts';
import { realPlace } from '../system/files/in-folder.ts';
import { isInside } from '../system/is-inside.ts';
import { lowerLimits } from './repository-limits.ts';
import { absoluteScript } from './script-path.ts';
import type { ReportTarget, ToolLeave } from './settings.ts';
import { rulesOf, type ToolTexts } from './structures.ts';
import {
  isSetting,
  settingRow,
  type SettingName,
  type Settings,
  type SettingWords,
} from './settings-table.ts';
import type { Globs } from '../review/census/selection.ts';

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
  /** The keys that count; all if omitted. */
  readonly only?: readonly string[] | undefined;
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
  readonly globs: Globs;
}

/** Applies the file's values to the base settings. @throws CollabError `config` */
export function fileSettings({ config: written, refuse }: CheckedConfig, place: ConfigPlace): FileSettings {
  const { base, speaker } = place;
  const words = countingWords(written, place);
  const pathOf = confinedPath(place, refuse);
  refuseProviders(words, { place, refuse, pathOf });
  refuseForeignKeys(words, place, refuse);
  const tools = words.tools === undefined ? {} : { tools: permittedTools(words.tools, place, refuse) };
  const all = { ...words, ...scriptsOf(words, place), ...tools };
  const wanted = applySettings(base, all, { pathOf, isRequest: false });
  const { settings: config, raised } = lowerLimits(speaker, base, wanted);
  const { include = [], exclude = [] } = words;
  return {
    config,
    raised,
    reports: wanted.reports.slice(base.reports.length),
    keys: Object.keys(written),
    globs: { include, exclude },
  };
}

type Refuse = CheckedConfig['refuse'];

function scriptsOf(words: SettingWords, { folder }: ConfigPlace): Pick<SettingWords, 'advisor' | 'lead'> {
  const named = (['advisor', 'lead'] as const).flatMap((key) => {
    const choice = words[key];
    return choice === undefined ? [] : [[key, absoluteScript(choice, folder)]];
  });
  return Object.fromEntries(named);
}

/** Drops keys that the owner has set, so that a file without permission for them is not refused. */
function countingWords(words: SettingWords, { speaker, said, only }: ConfigPlace): SettingWords {
  const left = Object.entries(words).filter(
    ([key]) => (only?.includes(key) ?? true) && (!said.has(key) || maySet(speaker, key)),
  );
  return Object.fromEntries(left);
}

function maySet(speaker: Speaker, key: string): boolean {
  return may(speaker, isSetting(key) ? { does: settingRow(key).deed } : null).allowed;
}

/** A file that merely is in the repository may not choose who answers or what is executed. */
function refuseForeignKeys(
  words: SettingWords,
  { speaker, name, userFile }: ConfigPlace,
  refuse: Refuse,
): void {
  for (const [key, value] of Object.entries(words)) {
    if (choosesNobody(key, value) || maySet(speaker, key)) continue;
    const flag = key === 'advisor' || key === 'lead' ? `--${key} ${words[key]}, or ` : '';
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

interface ProviderCheck {
  readonly place: ConfigPlace;
  readonly refuse: Refuse;
  readonly pathOf: PathOf;
}

/** An address would receive the user's key and the text; a program of the repository would run. */
function refuseProviders({ providers = {} }: SettingWords, { place, refuse, pathOf }: ProviderCheck): void {
  const mayConfigure = may(place.speaker, { does: 'configure an agent' }).allowed;
  for (const [name, texts] of Object.entries(providers)) {
    for (const [key, value] of Object.entries(texts)) {
      const at = ['providers', name, key];
      if (key === 'folder')
        throw refuse(at, `${name}.folder can be set only on the command line`, nameRemedy);
      if (key === 'base_url' && !mayConfigure)
        throw refuse(at, `${value} is an address that the repository under review names`, addressRemedy);
      if (key === 'path') pathOf(String(value), at);
    }
  }
}

/** A foreign file may take a permission away; it grants none and allows no network access. */
function permittedTools(tools: ToolTexts, { speaker, base }: ConfigPlace, refuse: Refuse): ToolTexts {
  if (may(speaker, { does: 'allow a tool' }).allowed) return tools;
  const rules = Object.entries(rulesOf(tools.policy ?? {}));
  const loose = rules.find(([, { agent }]) => agent === 'allow');
  if (loose !== undefined) {
    throw refuse(
      ['tools', 'policy', loose[0]],
      'the repository itself allows a tool to run without asking',
      leaveRemedy,
    );
  }
  if (tools.web_fetch !== undefined) {
    throw refuse(['tools', 'web_fetch'], 'the repository itself allows web access', leaveRemedy);
  }
  const strict = rules.map(([name, rule]) => [name, strictRule(ownRule(base, name), rule)]);
  return { policy: Object.fromEntries(strict) };
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

type PathOf = (written: string, at: readonly PropertyKey[]) => string;

/** A repository's file may name neither a file outside the repository nor a program inside it; its reports are in one folder. */
function confinedPath({ folder, name, speaker, top }: ConfigPlace, refuse: Refuse): PathOf {
  const mayName = may(speaker, { does: 'name a path' }).allowed;
  return (written, at) => {
    const path = resolve(folder, written);
    if (mayName) return path;
    const isOutside = leavesFolder(path, top);
    if (at[0] === ('providers' satisfies SettingName)) {
      if (isAbsolute(written) && isOutside) return path;
      throw refuse(at, `${written} is a program of the repository under review`, programRemedy);
    }
    if (isOutside) throw refuse(at, `${written} leads out of ${top}`, fileRemedy);
    if (at[0] !== ('reports' satisfies SettingName) || isReportOf(folder, path)) return path;
    throw refuse(
      at,
      `${written} is not below ${reportsFolder}`,
      `Name a file below ${reportsFolder}. For another place, use --report <format>=<file>, or trust this file as your own: --config ${name}`,
    );
  };
}

/** The only place for reports that a file of the repository requests. The rest of `.collab` has our own files. */
const reportsFolder = '.collab/reports';

/** Returns false for a file that is reached through a link. */
function isReportOf(folder: string, path: string): boolean {
  const reports = join(realPlace(folder), reportsFolder);
  const place = realPlace(path);
  return place !== reports && isInside(place, reports);
}

const nameRemedy =
  'Add its parent folder to provider_paths, and choose the provider with --advisor or --lead.';
const leaveRemedy = 'A file in the repository may only ask or deny. Name the configuration with --config.';
const fileRemedy = 'Name such a file on the command line, or name the configuration with --config.';
const addressRemedy = 'This address would get your key. To allow it, name the configuration with --config.';
const programRemedy = 'Use an absolute path outside it, or name the configuration with --config.';
