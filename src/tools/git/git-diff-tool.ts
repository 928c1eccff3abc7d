import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { patchOptions, pathspecs, showPatch } from './git-diff-text.ts';
import { commitForTool, withinGit, type RunGit, type WithGit } from './git-port.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import type { Mask } from '../files/read-text.ts';

const args = z.strictObject({
  from: z.string().min(1).optional().describe('A commit; default: HEAD.'),
  to: z.string().min(1).optional().describe('A commit; default: the files as they are now.'),
  path: z.string().min(1).optional().describe('Only this file or folder.'),
});

export interface GitToolOptions {
  readonly withGit: WithGit;
  readonly mask: Mask;
}

export function createGitDiffTool({ withGit, mask }: GitToolOptions): Tool {
  return defineTool({
    name: 'GitDiff',
    aliases: ['diff', 'git.diff'],
    description:
      'Shows a difference as a patch: the tracked files as they are now against a commit, or one commit against another.',
    readOnly: true,
    args,
    run: (wanted, context) => withinGit(withGit, context, (git) => diff(git, wanted, mask)),
  });
}

async function diff(
  git: RunGit,
  { from = 'HEAD', to, path }: z.infer<typeof args>,
  mask: Mask,
): Promise<ToolOutcome> {
  const paths = pathspecs(path);
  if (!paths.ok) return refuse(paths.why);
  const base = await commitForTool(git, from);
  if (!base.ok) return refuse(base.why);
  const head = to === undefined ? null : await commitForTool(git, to);
  if (head?.ok === false) return refuse(head.why);
  const ends = [base.id, ...(head === null ? [] : [head.id])];
  return showPatch(git, ['diff', ...patchOptions, ...ends, ...paths.args], mask);
}
