/**
 * Chooses the source of a run's configuration and standing instructions. With CI set, the working tree
 * belongs to an unreviewed change, so the base of the change is used.
 */
import { existsSync } from 'node:fs';
import { may } from '../../access/permissions.ts';
import { repository } from '../../access/speaker.ts';
import { join, relative, resolve } from 'node:path';
import { filesOnDisk, tooLarge, type FileSource } from '../../config/file-source.ts';
import {
  loadConfig,
  configFileName,
  globsNote,
  topFolder,
  type LoadedConfig,
  type LoadOptions,
} from '../../config/load-config.ts';
import { leavesFolder } from '../../config/folder-bounds.ts';
import {
  instructionsFileName,
  loadInstructions,
  type LoadedInstructions,
} from '../../config/load-instructions.ts';
import { loadSuppressions, type LoadedSuppressions } from '../../config/load-suppressions.ts';
import type { Globs } from '../../review/census/selection.ts';
import type { SettingName, Settings } from '../../config/settings-table.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { openCommitFiles, type CommitFiles } from '../../git/change/commit-files.ts';
import { isIgnored } from '../../git/repository/is-ignored.ts';
import { isContinuousIntegration } from '../agents/advisor-question.ts';
import type { StartPlace } from './start-place.ts';
import type { ReviewStart } from './start-request.ts';

type ReadPlace = Pick<StartPlace, 'cwd' | 'env' | 'signal' | 'clock' | 'commits'>;

export type StandingFlags = Pick<
  ReviewStart,
  'advisor' | 'lead' | 'config' | 'config_from' | 'instructions' | 'suppressions'
>;

export interface StandingFiles {
  readonly loaded: LoadedConfig;
  /** The repository's own globs, at the base of the change; null if the configuration is the user's. */
  readonly ofRepository: Globs | null;
  /** True if they are the globs on the disk, which a diff from elsewhere may have changed. */
  readonly globsOnDisk: boolean;
  /** The text; null if there are none. */
  readonly instructions: string | null;
  /** `null` if no file is named, or the named one does not exist. */
  readonly suppressions: LoadedSuppressions | null;
  /** Notes for the first line: which files were read from where, and which were not. */
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
  const { flags, reviews } = options;
  const origin = await openOrigin(place, options);
  try {
    const settings = await readConfig(place, { ...flags, said: flagsOfAgents(flags) }, origin);
    const { taken: loaded } = settings;
    if (reviews) await claimReports(place, loaded);
    const instructions = reviews
      ? await readInstructions(place, flags, { origin, config: loaded.config })
      : null;
    const excuses = await readExcuses(place, options, { settings, origin });
    const { suppressions } = excuses;
    return {
      loaded: { ...loaded, config: { ...loaded.config, fail_on: excuses.fail_on } },
      ofRepository: excuses.ofRepository,
      globsOnDisk: excuses.globsOnDisk,
      instructions: instructions?.taken?.text ?? null,
      suppressions: suppressions?.taken ?? null,
      notes: [
        ...settingsNote(settings, origin),
        ...excuses.notes,
        ...(instructions === null ? [] : instructionsNote(instructions, origin)),
        ...(suppressions === null ? [] : suppressionsNote(suppressions)),
      ],
    };
  } finally {
    await origin.commit?.close();
  }
}

interface Origin {
  readonly source: FileSource;
  /** The top folder of the repository. */
  readonly top: string;
  readonly commit: CommitFiles | null;
  /** True if the files of the working tree are read. */
  readonly trustsWorkTree: boolean;
}

async function openOrigin(place: ReadPlace, { flags, change }: StandingOptions): Promise<Origin> {
  const { cwd, env, signal, commits } = place;
  const top = topFolder(resolve(cwd));
  const trustsWorkTree = flags.config_from === undefined && !isContinuousIntegration(env);
  if (trustsWorkTree) return { source: filesOnDisk, top, commit: null, trustsWorkTree };
  const wanted =
    flags.config_from === undefined ? baseOf(change) : ({ kind: 'ref', ref: flags.config_from } as const);
  const commit = wanted === null ? null : await openCommitFiles(wanted, { cwd, env, signal, commits });
  return { source: commit === null ? noFiles : filesIn(commit), top, commit, trustsWorkTree };
}

function baseOf(change: ChangeRequest | null) {
  return change === null ? null : ({ kind: 'base_of', change } as const);
}

const noFiles: FileSource = { read: () => Promise.resolve(null), isLink: () => Promise.resolve(false) };

function filesIn(commit: CommitFiles): FileSource {
  return {
    async read(path, name, mostBytes) {
      const entry = await commit.find(path);
      if (entry === null) return null;
      const inCommit = `${name} of ${commit.title}`;
      if (entry.kind !== 'file') throw new CollabError('config', `${inCommit} is not a file`);
      if ((entry.sizeBytes ?? 0) > mostBytes) throw tooLarge(inCommit, mostBytes);
      return (await commit.read(entry)).toString('utf8');
    },
    isLink: async (path) => (await commit.find(path))?.kind === 'symlink',
  };
}

/** Reads a file named on the command line from the disk, unless the commit is named as well. */
async function readConfig(
  place: ReadPlace,
  flags: StandingFlags & Pick<LoadOptions, 'said'>,
  origin: Origin,
): Promise<Taken<LoadedConfig>> {
  const { cwd, env } = place;
  const common = { cwd, env, ...(flags.said === undefined ? {} : { said: flags.said }) };
  if (flags.config === undefined)
    return { taken: await loadConfig({ ...common, source: origin.source }), from: origin };
  const from = flags.config_from === undefined ? onDisk : origin;
  return { taken: await loadConfig({ ...common, path: flags.config, source: from.source }), from };
}

/** The settings of a review that can hide a finding. */
interface Excuses {
  readonly ofRepository: Globs | null;
  readonly globsOnDisk: boolean;
  readonly fail_on: Settings['fail_on'];
  readonly suppressions: Taken<LoadedSuppressions | null> | null;
  readonly notes: readonly string[];
}

/** A change must not excuse itself: even if the configuration is on the disk, its version at the base counts. */
async function readExcuses(
  place: ReadPlace,
  { flags, change, reviews }: StandingOptions,
  { settings, origin }: { readonly settings: Taken<LoadedConfig>; readonly origin: Origin },
): Promise<Excuses> {
  const { config, globs, keys } = settings.taken;
  const written = globs.ofFile;
  const none = { globsOnDisk: false, fail_on: config.fail_on, notes: [] };
  if (!reviews) return { ...none, ofRepository: null, suppressions: null };
  const asWritten = async () => ({
    ...none,
    suppressions: await readSuppressions(place, flags, { origin, config }),
  });
  if (flags.config !== undefined) return { ...(await asWritten()), ofRepository: null };
  const found = keys.filter((key) => excusing.some((name) => name === key));
  if (settings.from.commit !== null || found.length === 0 || change === null)
    return { ...(await asWritten()), ofRepository: written };
  // Its base is known only when the diff is read.
  if (change.kind === 'file' || change.kind === 'stdin')
    return { ...(await asWritten()), ofRepository: written, globsOnDisk: !isEqual(written, noGlobs) };
  const { cwd, env, signal, commits } = place;
  const commit = await openCommitFiles({ kind: 'base_of', change }, { cwd, env, signal, commits });
  try {
    const atBase = { ...origin, source: commit === null ? noFiles : filesIn(commit), commit };
    const common = { cwd, env, said: flagsOfAgents(flags) };
    const base =
      (await loadConfig({ ...common, source: atBase.source }).catch(() => null)) ??
      (await loadConfig({ ...common, source: noFiles }));
    const isNamedThere = found.includes('suppressions') && flags.suppressions === undefined;
    const from = isNamedThere ? { origin: atBase, config: base.config } : { origin, config };
    const suppressions = await readSuppressions(place, flags, from);
    const ofRepository = isEqual(written, noGlobs) ? written : base.globs.ofFile;
    const fail_on = found.includes('fail_on') ? base.config.fail_on : config.fail_on;
    return {
      globsOnDisk: false,
      ofRepository,
      fail_on,
      suppressions,
      notes: [
        ...(isEqual(ofRepository, written) ? [] : [globsNote]),
        ...(fail_on === config.fail_on
          ? []
          : [`fail_on of ${configFileName} counts as it is at the base of the change`]),
        ...(isNamedThere && suppressions === null
          ? [`suppressions of ${configFileName} count as they are at the base of the change`]
          : []),
      ],
    };
  } finally {
    await commit?.close();
  }
}

const excusing = ['include', 'exclude', 'suppressions', 'fail_on'] as const satisfies readonly SettingName[];

const noGlobs: Globs = { include: [], exclude: [] };

function isEqual(left: Globs, right: Globs): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function flagsOfAgents(flags: StandingFlags): readonly ('advisor' | 'lead')[] {
  return (['advisor', 'lead'] as const).filter((key) => flags[key] !== undefined);
}

async function readInstructions(
  place: ReadPlace,
  flags: StandingFlags,
  { origin, config }: { readonly origin: Origin; readonly config: Settings },
): Promise<Taken<LoadedInstructions | null>> {
  const { top, source } = origin;
  const byFlag = flags.instructions === undefined ? null : resolve(place.cwd, flags.instructions);
  const named = byFlag ?? config.instructions;
  if (named === null || isOfChange(named, origin)) {
    return { taken: await loadInstructions({ named, top, source }), from: origin };
  }
  if (byFlag === null && flags.config === undefined) await refuseIgnored(place, named);
  return { taken: await loadInstructions({ named, top, source: filesOnDisk }), from: onDisk };
}

/** A file inside the repository could be the change's; only the caller can write one outside. */
function isOfChange(path: string, { commit, top }: Origin): boolean {
  return commit !== null && !leavesFolder(path, top);
}

/** Returns null if no file is named. */
async function readSuppressions(
  { cwd }: ReadPlace,
  flags: StandingFlags,
  { origin, config }: { readonly origin: Origin; readonly config: Settings },
): Promise<Taken<LoadedSuppressions | null> | null> {
  const named = flags.suppressions === undefined ? config.suppressions : resolve(cwd, flags.suppressions);
  if (named === null) return null;
  const mayBeMissing = isOfChange(named, origin);
  const from = mayBeMissing ? origin : onDisk;
  const { top } = origin;
  return { taken: await loadSuppressions({ named, top, source: from.source, mayBeMissing }), from };
}

/** A configuration in the repository may be a stranger's: files that git ignores are private and must not be sent. */
async function refuseIgnored({ cwd, env, signal }: ReadPlace, path: string): Promise<void> {
  if (!(await isIgnored(path, { cwd, env, signal }))) return;
  throw new CollabError('config', `the configuration names ${path} as instructions, which git ignores`, {
    hint: 'name such a file on the command line: --instructions <file>',
  });
}

interface Taken<Found> {
  readonly taken: Found;
  readonly from: Pick<Origin, 'source' | 'commit'>;
}

const onDisk = { source: filesOnDisk, commit: null };

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

function settingsNote({ taken, from }: Taken<LoadedConfig>, origin: Origin): readonly string[] {
  const { path, userFile, raised } = taken;
  const own = userFile === null ? [] : [`settings from ${userFile}`];
  if (path === null) return [...own, ...notRead(configFileName, origin)];
  const name = `${nameIn(origin.top, path)}${ofCommit(from)}`;
  const kept =
    raised.length === 0
      ? []
      : [`${raised.join(', ')} of ${name} not taken: a file of the repository raises no limit`];
  return [...own, `settings from ${name}`, ...kept];
}

function instructionsNote(
  { taken, from }: Taken<LoadedInstructions | null>,
  origin: Origin,
): readonly string[] {
  if (taken !== null) return [`review instructions from ${taken.name}${ofCommit(from)}`];
  return notRead(instructionsFileName, origin);
}

function suppressionsNote({ taken, from }: Taken<LoadedSuppressions | null>): readonly string[] {
  if (taken === null)
    return [
      `no suppression file${from.commit === null ? '' : ` in ${from.commit.title}`}: nothing is suppressed`,
    ];
  return [`suppressions from ${taken.name}${ofCommit(from)}`];
}

/** Returns a note if an existing file was not read. */
function notRead(name: string, { top, commit, trustsWorkTree }: Origin): readonly string[] {
  if (trustsWorkTree || !existsSync(join(top, name))) return [];
  const why = commit === null ? 'with CI set, and no base of the change known' : `${commit.title} has none`;
  return [`${name} of the working tree is not read: ${why}`];
}

function ofCommit({ commit }: Pick<Origin, 'commit'>): string {
  return commit === null ? '' : ` of ${commit.title}`;
}

function nameIn(top: string, path: string): string {
  const way = relative(top, path);
  return way.startsWith('..') ? path : way;
}
