/**
 * Where a run takes its configuration and its standing instructions from. With CI set the working tree is that of a change
 * that nobody has looked at yet, so what the change starts from counts.
 */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { filesOnDisk, tooLarge, type FileSource } from '../../config/file-source.ts';
import { loadConfig, configFileName, topFolder, type LoadedConfig } from '../../config/load-config.ts';
import { leavesFolder } from '../../config/folder-bounds.ts';
import {
  instructionsFileName,
  loadInstructions,
  type LoadedInstructions,
} from '../../config/load-instructions.ts';
import { loadSuppressions, type LoadedSuppressions } from '../../config/load-suppressions.ts';
import type { Settings } from '../../config/settings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { openCommitFiles, type CommitFiles } from '../../git/change/commit-files.ts';
import { isIgnored } from '../../git/repository/is-ignored.ts';
import { isContinuousIntegration } from '../../runs/agents/advisor-question.ts';
import type { Session } from '../session.ts';

type Caller = Pick<Session, 'cwd' | 'env' | 'signal'>;

export interface StandingFlags {
  readonly config?: string;
  readonly configFrom?: string;
  readonly instructions?: string;
  readonly suppressions?: string;
}

export interface StandingFiles {
  readonly loaded: LoadedConfig;
  /** The text; null where there are none. */
  readonly instructions: string | null;
  /** Null where no file is named, or there is none where it is looked for. */
  readonly suppressions: LoadedSuppressions | null;
  /** What was taken from where, and what was not taken: for the first line. */
  readonly notes: readonly string[];
}

export interface StandingOptions {
  readonly flags: StandingFlags;
  /** What is reviewed; null where it is no review of a given change. */
  readonly change: ChangeRequest | null;
  /** Whether the run reviews, so that instructions for reviews mean something. */
  readonly reviews: boolean;
}

/** @throws CollabError `config`, `range`, `input` */
export async function readStandingFiles(session: Caller, options: StandingOptions): Promise<StandingFiles> {
  const { flags, reviews } = options;
  const origin = await openOrigin(session, options);
  try {
    const settings = await readConfig(session, flags, origin);
    const { taken: loaded } = settings;
    const instructions = reviews
      ? await readInstructions(session, flags, { origin, config: loaded.config })
      : null;
    const suppressions = reviews
      ? await readSuppressions(session, flags, { origin, config: loaded.config })
      : null;
    return {
      loaded,
      instructions: instructions?.taken?.text ?? null,
      suppressions: suppressions?.taken ?? null,
      notes: [
        ...settingsNote(settings, origin),
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
  /** The top of the repository. */
  readonly top: string;
  readonly commit: CommitFiles | null;
  /** Whether the files of the working tree count. */
  readonly trustsWorkTree: boolean;
}

async function openOrigin(session: Caller, { flags, change }: StandingOptions): Promise<Origin> {
  const { cwd, env, signal } = session;
  const top = topFolder(resolve(cwd));
  const trustsWorkTree = flags.configFrom === undefined && !isContinuousIntegration(env);
  if (trustsWorkTree) return { source: filesOnDisk, top, commit: null, trustsWorkTree };
  const wanted =
    flags.configFrom === undefined ? baseOf(change) : ({ kind: 'ref', ref: flags.configFrom } as const);
  const commit = wanted === null ? null : await openCommitFiles(wanted, { cwd, env, signal });
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

/** A file that the command line names is the caller's own, unless it names the commit too. */
async function readConfig(
  session: Caller,
  flags: StandingFlags,
  origin: Origin,
): Promise<Taken<LoadedConfig>> {
  const { cwd } = session;
  if (flags.config === undefined)
    return { taken: await loadConfig({ cwd, source: origin.source }), from: origin };
  const from = flags.configFrom === undefined ? onDisk : origin;
  return { taken: await loadConfig({ cwd, path: flags.config, source: from.source }), from };
}

async function readInstructions(
  session: Caller,
  flags: StandingFlags,
  { origin, config }: { readonly origin: Origin; readonly config: Settings },
): Promise<Taken<LoadedInstructions | null>> {
  const { top, source } = origin;
  const byFlag = flags.instructions === undefined ? null : resolve(session.cwd, flags.instructions);
  const named = byFlag ?? config.instructions;
  if (named === null || isOfChange(named, origin)) {
    return { taken: await loadInstructions({ named, top, source }), from: origin };
  }
  if (byFlag === null && flags.config === undefined) await refuseIgnored(session, named);
  return { taken: await loadInstructions({ named, top, source: filesOnDisk }), from: onDisk };
}

/** Inside of the repository a change could have written it; outside only the caller can. */
function isOfChange(path: string, { commit, top }: Origin): boolean {
  return commit !== null && !leavesFolder(path, top);
}

/** Null where none is named. */
async function readSuppressions(
  { cwd }: Caller,
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

/** A configuration that merely lies in the repository may be a stranger's: what its user keeps to himself is not sent. */
async function refuseIgnored({ cwd, env, signal }: Caller, path: string): Promise<void> {
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

function settingsNote({ taken: { path }, from }: Taken<LoadedConfig>, origin: Origin): readonly string[] {
  if (path !== null) return [`settings from ${nameIn(origin.top, path)}${ofCommit(from)}`];
  return notRead(configFileName, origin);
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

/** That a file which is there was passed over is told. */
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
