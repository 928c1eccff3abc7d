/** `collab init`: adds configuration and skills to a project, with optional hooks and CI workflow. */
import { relative } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { Repository } from '../../git/repository/find-root.ts';
import type { HooksFolder } from '../../git/repository/hooks-folder.ts';
import type { InitState } from '../setup/init-files.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

export interface InitFlags {
  readonly ci?: boolean;
  readonly prePush?: boolean;
  readonly stopHook?: boolean;
  readonly json?: boolean;
}

export function addInitCommand({ root, run }: Program): void {
  root
    .command('init')
    .description('set up a project: configuration, skills and optional hooks; keeps existing files')
    .option('--ci', 'add GitHub workflows: reviews, and commands in comments')
    .option('--pre-push', 'add a git hook that reviews each push')
    .option('--stop-hook', 'add a Claude Code hook that reviews changes before it stops')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  collab init                        configuration, and the skills for Claude Code and Codex\n  collab init --ci --pre-push        also a workflow and a hook\n',
    )
    .action((flags: InitFlags) => {
      run((session) => initProject(session, flags));
    });
}

interface Written {
  readonly path: string;
  readonly state: InitState;
}

export async function initProject(
  session: Pick<Session, 'cwd' | 'env' | 'out'>,
  flags: InitFlags,
): Promise<number> {
  const { findRepository } = await import('../../git/repository/find-root.ts');
  const { initFiles, writeInitFiles } = await import('../setup/init-files.ts');
  const repository = await findRepository(session.cwd);
  const root = repository?.root ?? session.cwd;
  const hooks = flags.prePush === true ? await hooksFolderOf(repository, session) : null;
  const files = initFiles(root, { ci: flags.ci === true, hooks, stopHook: flags.stopHook === true });
  const states = writeInitFiles(files);
  const written = files.map(({ path }, index) => ({
    path: relative(root, path),
    state: states[index] ?? 'kept',
  }));
  if (flags.json === true)
    session.out(`${JSON.stringify({ root, files: written, allow: allowRule }, null, 2)}\n`);
  else session.out(await report(root, written));
  return 0;
}

const allowRule = 'Bash(collab *)';

/** @throws CollabError `usage` if there is no repository, or its hooks are outside it */
async function hooksFolderOf(
  repository: Repository | null,
  { cwd, env }: Pick<Session, 'cwd' | 'env'>,
): Promise<HooksFolder> {
  if (repository === null) {
    throw new CollabError('usage', `--pre-push needs a git repository, and ${cwd} is not in one`, {
      hint: 'create one with git init',
    });
  }
  const { findHooksFolder } = await import('../../git/repository/hooks-folder.ts');
  return findHooksFolder(repository, env);
}

async function report(root: string, written: readonly Written[]): Promise<string> {
  const { neutralise } = await import('../../text/neutralise.ts');
  const words = { written: 'wrote', same: 'has', kept: 'left' };
  const kept = written.filter(({ state }) => state === 'kept');
  const lines = written.map(({ path, state }) => `${words[state].padEnd(5)} ${path}`);
  return neutralise(
    [
      `project ${root}`,
      ...lines,
      ...(kept.length === 0
        ? []
        : [
            '',
            `kept, because it differs from the file of collab init: ${kept.map(({ path }) => path).join(', ')}`,
            '  to get the new version, move your file away and run this again; then merge your own lines',
          ]),
      '',
      `next: commit these files; for Claude Code to use the skill without asking, allow ${allowRule}`,
      '  (in .claude/settings.json: { "permissions": { "allow": ["Bash(collab *)"] } })',
      '',
    ].join('\n'),
  );
}
