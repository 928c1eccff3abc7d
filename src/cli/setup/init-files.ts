/** The files of `collab init`: existing files are kept or added to, and nothing is written outside the project. */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { hasCode } from '../../errors/has-code.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { readNamed, readText } from '../../system/files/read.ts';
import { createFile } from '../../system/files/tree.ts';
import { writeAtomically } from '../../system/files/write.ts';
import type { HooksFolder } from '../../git/repository/hooks-folder.ts';
import { packageSkillFolder } from '../../prompts/skills/skill-package.ts';
import { renderInitialConfig } from './init-config.ts';
import { ciWorkflow, commentsWorkflow } from './ci-workflows.ts';
import { prePushHook, stopHook } from './init-templates.ts';
import { isInside } from '../../system/is-inside.ts';
import { addToClaudeSettings, hasPermission, stopHookPath, type ClaudeAdditions } from './claude-settings.ts';

export interface InitWishes {
  readonly ci: boolean;
  /** `null` without git hooks. */
  readonly hooks: HooksFolder | null;
  readonly stopHook: boolean;
  /** Adds the permission rule for Claude Code. */
  readonly allow: boolean;
}

export interface InitFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
  /** The folder that no link may lead out of. */
  readonly inside: string;
  /** Set if an existing file is added to. */
  readonly additions?: ClaudeAdditions;
}

export interface InitResult extends Pick<InitFile, 'path'> {
  /** `same`: nothing was missing. `changed`: an existing file was added to. `kept`: it existed with another content. */
  readonly state: 'written' | 'same' | 'changed' | 'kept';
  /** Why a file that should be added to was kept; else null. */
  readonly why: string | null;
}

export function initFiles(
  root: string,
  { ci, hooks, stopHook: atStop, allow }: InitWishes,
): readonly InitFile[] {
  const plain = (path: string, text: string): InitFile => ({
    path: join(root, path),
    text,
    executable: false,
    inside: root,
  });
  return [
    plain('collab.config.yaml', renderInitialConfig()),
    ...skillFiles(root, '.claude/skills', 'codex-collab'),
    ...skillFiles(root, '.agents/skills', 'claude-collab'),
    ...(ci
      ? [
          plain('.github/workflows/collab.yml', ciWorkflow),
          plain('.github/workflows/collab-comments.yml', commentsWorkflow),
        ]
      : []),
    ...(hooks === null ? [] : [hookFile(hooks)]),
    ...(atStop ? [plain(stopHookPath, stopHook)] : []),
    ...(atStop || allow ? [settingsFile(root, { permission: allow, stopHook: atStop })] : []),
  ];
}

function settingsFile(root: string, additions: ClaudeAdditions): InitFile {
  const added = addToClaudeSettings('{}\n', additions);
  if ('why' in added) throw new Error(added.why);
  return { path: claudeSettings(root), text: added.text, executable: false, inside: root, additions };
}

function claudeSettings(root: string): string {
  return join(root, '.claude/settings.json');
}

/** Returns true if the project's settings for Claude Code have the permission rule. */
export function isAllowed(root: string): boolean {
  return hasPermission(contentOf(claudeSettings(root)) ?? '');
}

function hookFile({ folder, inside }: HooksFolder): InitFile {
  return { path: join(folder, 'pre-push'), text: prePushHook, executable: true, inside };
}

/** Copies, not links: they are committed with the project, and an update of the package does not change them unnoticed. */
function skillFiles(root: string, into: string, name: string): readonly InitFile[] {
  const from = packageSkillFolder(name);
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)))
    .toSorted()
    .map((file) => ({
      path: join(root, into, name, file),
      text: readNamed(join(from, file)).toString('utf8'),
      executable: false,
      inside: root,
    }));
}

/** Checks all paths first, so that nothing is written if one is wrong. @throws CollabError `input` */
export function writeInitFiles(files: readonly InitFile[]): readonly InitResult[] {
  const placed = files.map((file) => ({ file, folder: folderOf(file) }));
  return placed.map(({ file, folder }) => ({ path: file.path, ...write(file, folder) }));
}

/** The links on the way are resolved once: one that is made later leads nowhere. */
function folderOf({ path, inside }: InitFile): string {
  const folder = realPlace(dirname(path));
  if (isInside(folder, realpathSync(inside))) return folder;
  throw new CollabError('input', `${dirname(path)} leads out of the project, to ${realFolder(folder)}`, {
    hint: 'Replace the link with a folder, or install there by hand.',
  });
}

function write(file: InitFile, folder: string): Omit<InitResult, 'path'> {
  const { path, text, executable } = file;
  const place = join(folder, basename(path));
  try {
    makeFolder(folder, { mode: 0o777 });
    createFile(place, text, executable ? 0o777 : 0o666);
    return { state: 'written', why: null };
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return meet(file, place);
    throw cannotWrite(path, error);
  }
}

/** The file exists. */
function meet({ path, text, additions }: InitFile, place: string): Omit<InitResult, 'path'> {
  const existing = contentOf(place);
  if (existing === text) return { state: 'same', why: null };
  if (additions === undefined) return { state: 'kept', why: null };
  if (existing === null) return { state: 'kept', why: 'it is not a file that can be read' };
  const added = addToClaudeSettings(existing, additions);
  if ('why' in added) return { state: 'kept', why: added.why };
  if (added.text === existing) return { state: 'same', why: null };
  try {
    writeAtomically(place, added.text, { shared: true });
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return { state: 'changed', why: null };
}

function cannotWrite(path: string, cause: unknown): CollabError {
  return new CollabError('input', `${path} cannot be written`, {
    hint: 'Check the owner of its folder, then run collab init again; files written so far stay.',
    cause,
  });
}

/** Resolves the nearest part of the path that exists. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return realFolder(dirname(folder));
  }
}

/** Returns null if it is not a readable file. */
function contentOf(path: string): string | null {
  try {
    return readText(path);
  } catch {
    return null;
  }
}
