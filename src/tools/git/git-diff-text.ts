/** Shared parts of the git tools that show patches. */
import { refuse } from '../definition/define-tool.ts';
import type { GitAnswer, RunGit } from './git-port.ts';
import { insidePath, type Refused } from '../files/inside-path.ts';
import type { ToolOutcome } from '../definition/interfaces.ts';
import type { Mask } from '../files/read-text.ts';
import { renderBounded } from '../files/render-lines.ts';

/** Starts no program of the repository, whatever its attributes are. */
export const patchOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=all',
  '--no-color',
  '--find-renames',
] as const;

/** Our git takes pathspecs literally; exclusions need their magic. */
export const withPathMagic = '--no-literal-pathspecs';

/** Returns `--` and the pathspecs: one path or all, without files hidden from agents. */
export function pathspecs(
  path: string | undefined,
): { readonly ok: true; readonly args: readonly string[] } | Refused {
  const inside = path === undefined ? null : insidePath(path);
  if (inside?.ok === false) return inside;
  const wanted = inside === null || inside.path === '.' ? ':(top)' : `:(top,literal)${inside.path}`;
  const hidden = ['**/.env*', '**/.env*/**', '**/.collab/**'].map(
    (glob) => `:(top,exclude,icase,glob)${glob}`,
  );
  return { ok: true, args: ['--', wanted, ...hidden] };
}

const captureLimitBytes = 2 * 1024 * 1024;

export async function showPatch(git: RunGit, args: readonly string[], mask: Mask): Promise<ToolOutcome> {
  const answer = await git([withPathMagic, ...args], captureLimitBytes);
  if (!answer.ok && !answer.truncated) return refuse(`git: ${answer.words}`);
  const text = wholeLines(answer);
  if (text === '') return { content: 'There is no difference.', isError: false };
  return { content: renderBounded(mask(text), 'name a path to see less'), isError: false };
}

/** A cut line could hold half of a secret. */
function wholeLines({ stdout, truncated }: GitAnswer): string {
  const text = stdout.toString('utf8');
  return truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
}
