/** Reads a run's configuration and standing instructions. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { may } from '../../access/permissions.ts';
import { repository } from '../../access/speaker.ts';
import { filesOnDisk } from '../../config/file-source.ts';
import { loadConfig, configFileName, type LoadedConfig, type LoadOptions } from '../../config/load-config.ts';
import {
  instructionsFileName,
  loadInstructions,
  type LoadedInstructions,
} from '../../config/load-instructions.ts';
import { checklistsFolder, loadChecklists } from '../../config/load-checklists.ts';
import type { LoadedSuppressions } from '../../config/load-suppressions.ts';
import type { ChecklistTexts } from '../../prompts/review/checklists.ts';
import type { Globs } from '../../review/census/selection.ts';
import type { Settings } from '../../config/settings-table.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { isIgnored } from '../../git/repository/is-ignored.ts';
import type { DismissedKind } from '../../review/dismissals/kinds.ts';
import { readDismissed } from './dismissed.ts';
import { readExcuses } from './excuses.ts';
import { isOfChange, ofTitle, onDisk, openOrigin } from './origin.ts';
import type { Origin, ReadFrom, ReadPlace } from './origin.ts';
import type { ReviewStart } from './start-request.ts';

export type StandingFlags = Pick<
  ReviewStart,
  'advisor' | 'lead' | 'config' | 'config_from' | 'instructions' | 'suppressions'
>;

export interface StandingFiles {
  readonly loaded: LoadedConfig;
  /** The repository's own globs, at the base of the change; null if the configuration is the user's. */
  readonly ofRepository: Globs | null;
  /** The text; null if there are none. */
  readonly instructions: string | null;
  /** The project's own checklists; null if it has none. */
  readonly checklists: ChecklistTexts | null;
  /** Kinds of findings that people dismissed before the change. */
  readonly dismissed: readonly DismissedKind[];
  /** `null` if no file is named, or the named one does not exist. */
  readonly suppressions: LoadedSuppressions | null;
  /** Notes for the first lines: which files were read from where, and which were not. */
  readonly notes: readonly string[];
}

export interface StandingOptions {
  readonly flags: StandingFlags;
  /** The change under review; null if the run reviews no given change. */
  readonly change: ChangeRequest | null;
  /** True if the run reviews and therefore uses review instructions. */
  readonly reviews: boolean;
}

/** @throws CollabError `config`, `range`, `input` */
export async function readStandingFiles(place: ReadPlace, options: StandingOptions): Promise<StandingFiles> {
  const { flags, change, reviews } = options;
  const origin = await openOrigin(place, { configFrom: flags.config_from, change });
  try {
    const settings = await readConfig(place, { ...flags, said: flagsOfAgents(flags) }, origin);
    const { taken: loaded } = settings;
    const notes = settingsNote(settings, origin);
    if (!reviews) return { ...nothing, loaded, notes };
    await claimReports(place, loaded);
    const instructions = await readInstructions(place, flags, { origin, config: loaded.config });
    const checklists = await loadChecklists(origin);
    const excuses = await readExcuses(place, { flags, change, loaded, origin });
    const dismissed = await readDismissed(place, { change, origin });
    const { fail_on, rules, globs, suppressions } = excuses;
    return {
      loaded: { ...loaded, config: { ...loaded.config, fail_on, rules } },
      ofRepository: flags.config === undefined ? globs : null,
      instructions: instructions.taken?.text ?? null,
      checklists,
      dismissed: dismissed.kinds,
      suppressions: suppressions?.taken ?? null,
      notes: [
        ...notes,
        ...excuses.notes,
        ...instructionsNote(instructions, origin),
        ...checklistsNote(checklists, origin),
        ...dismissed.notes,
      ],
    };
  } finally {
    await origin.close();
  }
}

const nothing = {
  ofRepository: null,
  instructions: null,
  checklists: null,
  dismissed: [],
  suppressions: null,
};

/** Reads a file named on the command line from the disk, unless the commit is named as well. */
async function readConfig(
  place: ReadPlace,
  flags: StandingFlags & Pick<LoadOptions, 'said'>,
  origin: Origin,
): Promise<ReadFrom<LoadedConfig>> {
  const { cwd, env } = place;
  const common = { cwd, env, ...(flags.said === undefined ? {} : { said: flags.said }) };
  if (flags.config === undefined)
    return { taken: await loadConfig({ ...common, source: origin.source }), from: origin };
  const from = flags.config_from === undefined ? onDisk : origin;
  return { taken: await loadConfig({ ...common, path: flags.config, source: from.source }), from };
}

function flagsOfAgents(flags: StandingFlags): readonly ('advisor' | 'lead')[] {
  return (['advisor', 'lead'] as const).filter((key) => flags[key] !== undefined);
}

async function readInstructions(
  place: ReadPlace,
  flags: StandingFlags,
  { origin, config }: { readonly origin: Origin; readonly config: Settings },
): Promise<ReadFrom<LoadedInstructions | null>> {
  const { top, source } = origin;
  const byFlag = flags.instructions === undefined ? null : resolve(place.cwd, flags.instructions);
  const named = byFlag ?? config.instructions;
  if (named === null || isOfChange(named, origin)) {
    return { taken: await loadInstructions({ named, top, source }), from: origin };
  }
  if (byFlag === null && flags.config === undefined) await refuseIgnored(place, named);
  return { taken: await loadInstructions({ named, top, source: filesOnDisk }), from: onDisk };
}

/** A configuration in the repository may be a stranger's: files that git ignores are private and must not be sent. */
async function refuseIgnored({ cwd, env, signal }: ReadPlace, path: string): Promise<void> {
  if (!(await isIgnored(path, { cwd, env, signal }))) return;
  throw new CollabError('config', `the configuration names ${path} as instructions, which git ignores`, {
    hint: 'name such a file on the command line: --instructions <file>',
  });
}

/** @throws CollabError `config` if the repository requests a report over a file that is not ours */
async function claimReports(
  { env, clock }: ReadPlace,
  { path, foreignReports }: LoadedConfig,
): Promise<void> {
  if (foreignReports.length === 0) return;
  const { claimReport } = await import('../folder/claimed-reports.ts');
  for (const [index, { file }] of foreignReports.entries()) {
    const does = claimReport(file, { env, clock }) ? 'write a new report' : 'write over a file';
    if (may(repository, { does }).allowed) continue;
    throw new CollabError(
      'config',
      `${path}: reports.${index}.file: ${file} already exists and is not a report of collab`,
      {
        hint: 'Remove the file, name another one, or use the flag: --report <format>=<file>.',
      },
    );
  }
}

function settingsNote({ taken, from }: ReadFrom<LoadedConfig>, origin: Origin): readonly string[] {
  const { path, userFile, raised } = taken;
  const own = userFile === null ? [] : [`settings from ${userFile}`];
  if (path === null) return [...own, ...notRead(configFileName, origin)];
  const name = `${nameIn(origin.top, path)}${ofTitle(from)}`;
  const kept =
    raised.length === 0
      ? []
      : [`${raised.join(', ')} of ${name} not taken: a file of the repository raises no limit`];
  return [...own, `settings from ${name}`, ...kept];
}

function instructionsNote(
  { taken, from }: ReadFrom<LoadedInstructions | null>,
  origin: Origin,
): readonly string[] {
  if (taken !== null) return [`review instructions from ${taken.name}${ofTitle(from)}`];
  return notRead(instructionsFileName, origin);
}

function checklistsNote(checklists: ChecklistTexts | null, origin: Origin): readonly string[] {
  if (checklists === null) return [];
  return [`checklists for ${Object.keys(checklists).join(', ')} from ${checklistsFolder}/${ofTitle(origin)}`];
}

/** Returns a note if an existing file was not read. */
function notRead(name: string, { top, title, source }: Origin): readonly string[] {
  if (source === filesOnDisk || !existsSync(join(top, name))) return [];
  const why = title === null ? 'with CI set, and no base of the change known' : `${title} has none`;
  return [`${name} of the working tree is not read: ${why}`];
}

function nameIn(top: string, path: string): string {
  const way = relative(top, path);
  return way.startsWith('..') ? path : way;
}
