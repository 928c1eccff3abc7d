import { z } from 'zod';
import { defineTool, refuse } from '../definition/define-tool.ts';
import { pathspecs, withPathMagic } from './git-diff-text.ts';
import type { GitToolOptions } from './git-diff-tool.ts';
import { commitForTool, withinGit, type RunGit } from './git-port.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import type { Mask } from '../files/read-text.ts';
import { renderBounded } from '../files/render-lines.ts';

const args = z.strictObject({
  ref: z.string().min(1).optional().describe('Where to begin; default: HEAD.'),
  path: z.string().min(1).optional().describe('Only commits that changed this file or folder.'),
  limit: z.int().positive().max(100).optional().describe('How many; default 20.'),
});

export function createGitLogTool({ withGit, mask }: GitToolOptions): Tool {
  return defineTool({
    name: 'GitLog',
    aliases: ['log', 'git.log'],
    description: 'Lists commits, the newest first: id, date, author, subject.',
    readOnly: true,
    args,
    run: (wanted, context) => withinGit(withGit, context, (git) => log(git, wanted, mask)),
  });
}

async function log(
  git: RunGit,
  { ref = 'HEAD', path, limit = 20 }: z.infer<typeof args>,
  mask: Mask,
): Promise<ToolOutcome> {
  // Without a path every commit counts, including empty ones and those of hidden files.
  const paths = path === undefined ? { ok: true as const, args: [] } : pathspecs(path);
  if (!paths.ok) return refuse(paths.why);
  const commit = await commitForTool(git, ref);
  if (!commit.ok) return refuse(commit.why);
  const format = ['--no-show-signature', '--no-color', '--date=short', '--format=%h %ad %an: %s'];
  const answer = await git([
    withPathMagic,
    'log',
    ...format,
    `--max-count=${limit}`,
    commit.id,
    ...paths.args,
  ]);
  if (!answer.ok) return refuse(`git: ${answer.words}`);
  const text = answer.stdout.toString('utf8');
  if (text === '') return { content: 'There is no such commit.', isError: false };
  return { content: renderBounded(mask(text), 'ask for fewer'), isError: false };
}
