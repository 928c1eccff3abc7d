/** The tools of a bare model over one folder, with the safe git invocation and the masking of secrets. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { ToolSettings } from '../../config/settings.ts';
import { findRepository, type Repository } from '../../git/repository/find-root.ts';
import { openGitView } from '../../git/repository/git-view.ts';
import { gitWords, type GitEnvironment, type GitResult } from '../../git/repository/run-git.ts';
import type { PolicyOptions } from '../../loop/tool-policy.ts';
import { systemShell, thisPlatform } from '../../system/platform.ts';
import { confinementHere } from '../../system/probe-confinement.ts';
import { collabHome } from '../folder/run-folder.ts';
import { stateBases } from '../../system/state-base.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import type { GitAnswer, WithGit } from '../../tools/git/git-port.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { createToolRegistry, type ToolRegistry } from '../../tools/definition/registry.ts';
import { createWebFetchTool } from '../../tools/web/web-fetch-tool.ts';
import { createChangingTools, createRepositoryTools } from '../../tools/files/repository-tools.ts';

/** Opens the tools that change nothing. */
export async function openRepositoryTools(root: string, env: GitEnvironment): Promise<readonly Tool[]> {
  const repository = await repositoryAt(root);
  return createRepositoryTools({
    root,
    withGit: repository === null ? null : gitOf(repository, env),
    mask: masked,
  });
}

export interface ToolLimits {
  /** The folder of runs and conversations, which commands cannot see; default: that of the root. */
  readonly home?: string;
  /** Absolute paths of files and folders that `Write` and `Edit` keep as they are; default: none. */
  readonly locked?: readonly string[];
}

/**
 * Opens the tools that change files in the folder or run commands there, for conversations in which the user is asked
 * for permission.
 */
export async function openChangingTools(
  root: string,
  env: GitEnvironment,
  { home = collabHome({ cwd: root, env }), locked = [] }: ToolLimits = {},
): Promise<readonly Tool[]> {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : systemShell(thisPlatform);
  return createChangingTools({
    root,
    locked,
    env,
    mask: masked,
    shell,
    confinement: await confinementHere(),
    hidden: [home, collabHome({ cwd: root, env }), ...stateBases({ env }), ...agentLogins(env)],
  });
}

/** The folders in which the agents keep the user's logins. */
function agentLogins(env: GitEnvironment): readonly string[] {
  const { HOME: home, CODEX_HOME: codex, CLAUDE_CONFIG_DIR: claude } = env;
  const usual =
    home === undefined ? [] : ['.codex', '.claude', '.claude.json'].map((name) => join(home, name));
  return [...usual, ...[codex, claude].filter((path) => path !== undefined)].filter((path) =>
    isAbsolute(path),
  );
}

/** Returns the tools whose commands this system cannot sandbox; null if it can. */
export async function unheldTools(): Promise<NonNullable<PolicyOptions['unheld']> | null> {
  const confinement = await confinementHere();
  if (confinement.kind === 'namespaces') return null;
  return { tools: ['Bash'], why: `commands cannot be confined here (${confinement.reason})` };
}

/** Opens all tools of a conversation in a folder, by name. @throws CollabError `options` */
export async function openToolRegistry(
  root: string,
  env: GitEnvironment,
  { web_fetch: fetch }: ToolSettings,
  limits: ToolLimits = {},
): Promise<ToolRegistry> {
  const looking = await openRepositoryTools(root, env);
  const web =
    fetch === null
      ? []
      : [createWebFetchTool({ hosts: fetch.hosts, privateAddresses: fetch.private_addresses })];
  return createToolRegistry([...looking, ...(await openChangingTools(root, env, limits)), ...web]);
}

/** Returns the repository only if the folder is its top: a repository around the folder also contains other files. */
async function repositoryAt(root: string): Promise<Repository | null> {
  const repository = await findRepository(root);
  if (repository === null) return null;
  return (await realpath(repository.root)) === (await realpath(root)) ? repository : null;
}

/** Opens one view per call: it sees the current index and refs, and nothing stays open between turns. */
function gitOf(repository: Repository, env: GitEnvironment): WithGit {
  return async (signal, body) => {
    const view = await openGitView(repository, { env, signal });
    try {
      await view.copyIndex();
      return await body(async (args, maxOutputBytes) =>
        answerOf(await view.inWorkTree(args, maxOutputBytes === undefined ? {} : { maxOutputBytes })),
      );
    } finally {
      await view.close();
    }
  };
}

function answerOf(result: GitResult): GitAnswer {
  const { exitCode, stdout, truncated } = result;
  return { ok: exitCode === 0, stdout, truncated, words: gitWords(result) };
}
