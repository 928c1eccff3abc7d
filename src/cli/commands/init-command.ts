/** `collab init`: adds configuration and skills to a project, with optional hooks and CI workflow. */
import { relative } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { Repository } from '../../git/repository/find-root.ts';
import type { HooksFolder } from '../../git/repository/hooks-folder.ts';
import type { InitResult } from '../setup/init-files.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { permissionRule } from '../setup/permission-rule.ts';
import { renderJson } from '../../text/render-json.ts';

export interface InitFlags {
  readonly ci?: boolean;
  readonly prePush?: boolean;
  readonly stopHook?: boolean;
  /** Not set: a person at a terminal is asked. */
  readonly allow?: boolean;
  readonly json?: boolean;
}

export function addInitCommand({ root, run }: Program): void {
  root
    .command('init')
    .description('set up a project: configuration, skills and optional hooks; keeps existing files')
    .option('--ci', 'add GitHub workflows: reviews, and commands in comments')
    .option('--pre-push', 'add a git hook that reviews each push')
    .option('--stop-hook', 'add a Claude Code hook that reviews changes before it stops')
    .option('--allow', `let Claude Code run every collab command without asking (adds ${permissionRule})`)
    .option('--no-allow', 'do not offer it at a terminal')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  collab init                        configuration, and the skills for Claude Code and Codex\n  collab init --ci --pre-push        also a workflow and a hook\n',
    )
    .action((flags: InitFlags) => {
      run((session) => initProject(session, flags));
    });
}

export async function initProject(session: InitSession, flags: InitFlags): Promise<number> {
  const { findRepository } = await import('../../git/repository/find-root.ts');
  const { initFiles, isAllowed, writeInitFiles } = await import('../setup/init-files.ts');
  const repository = await findRepository(session.cwd);
  const root = repository?.root ?? session.cwd;
  const hooks = flags.prePush === true ? await hooksFolderOf(repository, session) : null;
  const allow = flags.allow ?? (!isAllowed(root) && (await offer(session, flags)));
  const files = initFiles(root, { ci: flags.ci === true, hooks, stopHook: flags.stopHook === true, allow });
  const written = writeInitFiles(files).map((result) => ({ ...result, path: relative(root, result.path) }));
  const allowed = isAllowed(root);
  if (flags.json === true) {
    const facts = { root, files: written, allow: permissionRule, allowed };
    session.out(renderJson(facts));
  } else session.out(await report(root, written, { allowed, ci: flags.ci === true }));
  return 0;
}

type InitSession = Pick<Session, 'cwd' | 'env' | 'out' | 'stdin' | 'screen' | 'signal'>;

/** Only a person gives a permission: without one, nothing is added. */
async function offer({ env, stdin, screen, signal }: InitSession, { json }: InitFlags): Promise<boolean> {
  const isPerson = stdin.isTTY && screen.interactive.err && (env['CI'] ?? '') === '';
  if (!isPerson || json === true) return false;
  const { askChoice } = await import('../driving/prompts.ts');
  const answer = await askChoice(
    'May Claude Code run every collab command in this project without asking?',
    [
      { value: 'no', label: 'no, it asks before each' },
      { value: 'yes', label: `yes, add ${permissionRule} to .claude/settings.json` },
    ],
    { screen, signal },
  );
  return answer === 'yes';
}

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

const stepsToTheFirstComment = [
  'next: set the secrets of the repository, on GitHub or with gh',
  '  gh secret set CODEX_API_KEY        an API key of OpenAI, for reviews',
  '  gh secret set ANTHROPIC_API_KEY    an API key of Anthropic, only for /collab fix',
  '  gh secret set COLLAB_CACHE_KEY     optional: any long random word, with which our comments are signed',
  'then: commit these files, push them to the default branch, and open a pull request',
];

interface Setup {
  /** Claude Code may run `collab` without asking. */
  readonly allowed: boolean;
  readonly ci: boolean;
}

async function report(root: string, written: readonly InitResult[], { allowed, ci }: Setup): Promise<string> {
  const { neutralise } = await import('../../text/neutralise.ts');
  const words = { written: 'wrote', same: 'has', changed: 'added to', kept: 'left' };
  const width = written.some(({ state }) => state === 'changed') ? 8 : 5;
  const lines = written.map(({ path, state }) => `${words[state].padEnd(width)} ${path}`);
  const differing = written.filter(({ state, why }) => state === 'kept' && why === null);
  const unchanged = written.flatMap(({ path, why }) =>
    why === null ? [] : [`nothing was added to ${path}: ${why}; change it by hand, or leave it so`],
  );
  return neutralise(
    [
      `project ${root}`,
      ...lines,
      ...(unchanged.length === 0 ? [] : ['', ...unchanged]),
      ...(differing.length === 0
        ? []
        : [
            '',
            `kept, because it differs from the file of collab init: ${differing.map(({ path }) => path).join(', ')}`,
            '  to get the new version, move your file away and run this again; then merge your own lines',
          ]),
      '',
      ...(ci ? stepsToTheFirstComment : ['next: commit these files']),
      ...(allowed
        ? []
        : [
            `  for Claude Code to use the skill without asking: collab init --allow (adds ${permissionRule}`,
            '  to .claude/settings.json)',
          ]),
      '',
    ].join('\n'),
  );
}
