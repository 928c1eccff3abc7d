/** The files of `collab init`: existing files are kept, and nothing is written outside the project. */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { hasCode } from '../../errors/has-code.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { readNamed, readText } from '../../system/files/read.ts';
import { createFile } from '../../system/files/tree.ts';
import type { HooksFolder } from '../../git/repository/hooks-folder.ts';
import { packageSkillFolder } from '../../prompts/skills/skill-package.ts';
import { renderInitialConfig } from './init-config.ts';
import { ciWorkflow, commentsWorkflow } from './ci-workflows.ts';
import { prePushHook, stopHook, stopHookSettings } from './init-templates.ts';
import { isInside } from '../../system/is-inside.ts';

export interface InitWishes {
  readonly ci: boolean;
  /** `null` without git hooks. */
  readonly hooks: HooksFolder | null;
  readonly stopHook: boolean;
}

export interface InitFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
  /** The folder that no link may lead out of. */
  readonly inside: string;
}

/** `same`: it existed with this content. `kept`: it existed with another. */
export type InitState = 'written' | 'same' | 'kept';

export function initFiles(root: string, { ci, hooks, stopHook: atStop }: InitWishes): readonly InitFile[] {
  const plain = (path: string, text: string): InitFile => ({
    path: join(root, path),
    text,
    executable: false,
    inside: root,
  });
  return [
    plain('collab.config.yaml', renderInitialConfig()),
    ...skillFiles(root, '.claude/skills', 'codex-collab'),
    ...skillFiles(root, '.agents/skills', 'codex-collab'),
    ...skillFiles(root, '.agents/skills', 'claude-collab'),
    ...(ci
      ? [
          plain('.github/workflows/collab.yml', ciWorkflow),
          plain('.github/workflows/collab-comments.yml', commentsWorkflow),
        ]
      : []),
    ...(hooks === null ? [] : [hookFile(hooks)]),
    ...(atStop
      ? [plain('.claude/hooks/collab-stop.mjs', stopHook), plain('.claude/settings.json', stopHookSettings)]
      : []),
  ];
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
export function writeInitFiles(files: readonly InitFile[]): readonly InitState[] {
  for (const file of files) refuseWayOut(file);
  return files.map(write);
}

function refuseWayOut({ path, inside }: InitFile): void {
  const real = realFolder(dirname(path));
  if (isInside(real, realpathSync(inside))) return;
  throw new CollabError('input', `${dirname(path)} leads out of the project, to ${real}`, {
    hint: 'Replace the link with a folder, or install there by hand.',
  });
}

function write({ path, text, executable }: InitFile): InitState {
  const folder = realPlace(dirname(path));
  try {
    makeFolder(folder, 0o777);
    createFile(join(folder, basename(path)), text, executable ? 0o777 : 0o666);
    return 'written';
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return contentOf(join(folder, basename(path))) === text ? 'same' : 'kept';
    throw new CollabError('input', `${path} cannot be written`, {
      hint: 'Check the owner of its folder, then run collab init again; files written so far stay.',
      cause: error,
    });
  }
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
