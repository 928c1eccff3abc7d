/** The tools of a bare model over one folder, with the safe git invocation and the masking of secrets. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { ToolSettings } from '../../config/settings.ts';
import { findRepository, type Repository } from '../../git/repository/find-root.ts';
import { openGitView } from '../../git/repository/git-view.ts';
import { gitWords, type Environment, type GitResult } from '../../git/repository/run-git.ts';
import { systemShell, thisPlatform } from '../../system/platform.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import type { GitAnswer, WithGit } from '../../tools/git/git-port.ts';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { createToolRegistry, type ToolRegistry } from '../../tools/definition/registry.ts';
import { createWebFetchTool } from '../../tools/web/web-fetch-tool.ts';
import { createChangingTools, createRepositoryTools } from '../../tools/files/repository-tools.ts';

/** Those that change nothing. */
export async function openRepositoryTools(root: string, env: Environment): Promise<readonly Tool[]> {
  const repository = await repositoryAt(root);
  return createRepositoryTools({
    root,
    withGit: repository === null ? null : gitOf(repository, env),
    mask,
  });
}

/** Those that change files of the folder or run commands there; for conversations with a person who is asked. */
export function openChangingTools(root: string, env: Environment): readonly Tool[] {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : systemShell(thisPlatform);
  return createChangingTools({ root, env, mask, shell });
}

/** All tools of a conversation in a folder, by their names. @throws CollabError `options` */
export async function openToolRegistry(
  root: string,
  env: Environment,
  { webFetch }: ToolSettings,
): Promise<ToolRegistry> {
  const looking = await openRepositoryTools(root, env);
  const web = webFetch === null ? [] : [createWebFetchTool(webFetch)];
  return createToolRegistry([...looking, ...openChangingTools(root, env), ...web]);
}

async function mask(text: string): Promise<string> {
  return (await maskSecrets(text)).text;
}

/** A repository around the folder holds more than the folder: only one whose top it is may be asked. */
async function repositoryAt(root: string): Promise<Repository | null> {
  const repository = await findRepository(root);
  if (repository === null) return null;
  return (await realpath(repository.root)) === (await realpath(root)) ? repository : null;
}

/** One view a call: it sees the index and the refs as they are now, and nothing is left open between turns. */
function gitOf(repository: Repository, env: Environment): WithGit {
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
