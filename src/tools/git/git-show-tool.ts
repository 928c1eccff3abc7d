import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { patchOptions, pathspecs, showPatch } from './git-diff-text.ts';
import type { GitToolOptions } from './git-diff-tool.ts';
import { commitForTool, withinGit, type RunGit } from './git-port.ts';
import { insidePath } from '../files/inside-path.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import { decodeText, fileLimitBytes, type Mask } from '../files/read-text.ts';
import { defaultLineLimit, renderLines } from '../files/render-lines.ts';

const args = z.strictObject({
  ref: z.string().min(1).describe('A commit: an id, a branch, a tag, HEAD~2.'),
  file_path: z.string().min(1).optional().describe('Show this file as it was then, instead of the commit.'),
  offset: z.int().positive().optional().describe('With file_path: the first line, from 1.'),
  limit: z.int().positive().max(defaultLineLimit).optional().describe('With file_path: how many lines.'),
});
type Args = z.infer<typeof args>;

export function createGitShowTool({ withGit, mask }: GitToolOptions): Tool {
  return defineTool({
    name: 'GitShow',
    aliases: ['show', 'git.show'],
    description: 'Shows a commit with its message and patch, or a file as it was in that commit.',
    readOnly: true,
    args,
    run: (wanted, context) =>
      withinGit(withGit, context, async (git) => {
        const commit = await commitForTool(git, wanted.ref);
        if (!commit.ok) return refuse(commit.why);
        return wanted.file_path === undefined
          ? showCommit(git, commit.id, mask)
          : showFile(git, commit.id, { ...wanted, file_path: wanted.file_path }, mask);
      }),
  });
}

async function showCommit(git: RunGit, id: string, mask: Mask): Promise<ToolOutcome> {
  const paths = pathspecs(undefined);
  if (!paths.ok) return refuse(paths.why);
  return showPatch(git, ['show', '--no-show-signature', ...patchOptions, id, ...paths.args], mask);
}

async function showFile(
  git: RunGit,
  id: string,
  { ref, file_path, offset = 1, limit = defaultLineLimit }: Args & { readonly file_path: string },
  mask: Mask,
): Promise<ToolOutcome> {
  const inside = insidePath(file_path);
  if (!inside.ok) return refuse(inside.why);
  const blob = await git(['cat-file', 'blob', `${id}:${inside.path}`], fileLimitBytes);
  if (blob.truncated) return refuse(`${file_path} has more than 2 MiB in ${ref}.`);
  if (!blob.ok) return refuse(`There is no file ${file_path} in ${ref}.`);
  const read = decodeText(blob.stdout, file_path);
  if (!read.ok) return refuse(read.why);
  return renderLines(mask(read.text), { path: file_path, offset, limit });
}
