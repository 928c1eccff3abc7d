import { createBashTool, type BashOptions } from './bash-tool.ts';
import { createEditTool } from './edit-tool.ts';
import { createGitDiffTool } from '../git/git-diff-tool.ts';
import { createGitLogTool } from '../git/git-log-tool.ts';
import type { WithGit } from '../git/git-port.ts';
import { createGitShowTool } from '../git/git-show-tool.ts';
import { createGlobTool } from './glob-tool.ts';
import { createGrepTool } from './grep-tool.ts';
import type { Tool } from '../definition/interfaces.ts';
import type { WritableFolder } from './place-to-write.ts';
import { createListTool } from './list-tool.ts';
import type { Mask } from './read-text.ts';
import { createReadTool } from './read-tool.ts';
import { createWriteTool } from './write-tool.ts';

export interface RepositoryToolOptions {
  /** The only folder that the tools read. */
  readonly root: string;
  /** Is null if the folder is not the top of a repository: no git tools. */
  readonly withGit: WithGit | null;
  readonly mask: Mask;
}

/** Creates the tools that read a repository and change nothing, all within one folder. */
export function createRepositoryTools({ root, withGit, mask }: RepositoryToolOptions): readonly Tool[] {
  const files = [
    createReadTool({ root, mask }),
    createListTool({ root }),
    createGrepTool({ root, mask }),
    createGlobTool({ root }),
  ];
  if (withGit === null) return files;
  const git = { withGit, mask };
  return [...files, createGitDiffTool(git), createGitLogTool(git), createGitShowTool(git)];
}

export interface ChangingToolOptions
  extends WritableFolder, Pick<RepositoryToolOptions, 'mask'>, Omit<BashOptions, 'shell' | 'root'> {
  /** Path of the shell; null if this system has none. */
  readonly shell: string | null;
}

/** Creates the tools that change files of the folder or run commands there. A read-only conversation never has them. */
export function createChangingTools({ mask, shell, ...options }: ChangingToolOptions): readonly Tool[] {
  const { root, locked = [] } = options;
  const files = [createWriteTool({ root, locked, mask }), createEditTool({ root, locked })];
  return shell === null ? files : [...files, createBashTool({ ...options, shell })];
}
