/** The files of a loopback GitLab, in memory: folders, blobs, commits and branches. */
import { z } from 'zod';
import type { GitFile, MadeBranch } from './github-git.ts';
import { notFound, type ForgeServerAnswer } from './forge-server.ts';

const content = { content: z.base64(), encoding: z.literal('base64') };
const actionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('create'), file_path: z.string(), ...content }),
  z.strictObject({ action: z.literal('update'), file_path: z.string(), ...content }),
  z.strictObject({ action: z.literal('delete'), file_path: z.string() }),
  z.strictObject({ action: z.literal('chmod'), file_path: z.string(), execute_filemode: z.literal(true) }),
]);
type Action = z.infer<typeof actionSchema>;
const commitBody = z.strictObject({
  branch: z.string(),
  start_sha: z.string(),
  commit_message: z.string(),
  actions: z.array(actionSchema).min(1),
});

export interface GitlabBranch extends MadeBranch {
  /** New files that are executable. */
  readonly executable: readonly string[];
}

export function createGitlabGit(files: Readonly<Record<string, GitFile>>) {
  const branches: GitlabBranch[] = [];
  return { branches, answer };

  /** Returns null for a route of something else. */
  function answer(route: string, query: URLSearchParams, body: unknown): ForgeServerAnswer | null {
    const [, method, kind, id] =
      /^(\w+) \/repository\/(commits|tree|blobs|branches)(?:\/(.+))?$/.exec(route) ?? [];
    if (kind === undefined) return null;
    if (method === 'POST') return kind === 'commits' ? commit(commitBody.parse(body)) : notFound;
    if (kind === 'tree') return folder(query.get('path') ?? '');
    if (kind === 'blobs') {
      const text = files[Buffer.from(id ?? '', 'hex').toString()]?.text;
      if (text === undefined) return notFound;
      return { status: 200, body: { encoding: 'base64', content: Buffer.from(text).toString('base64') } };
    }
    const found = branches.find(({ name }) => name === decodeURIComponent(id ?? ''));
    if (found === undefined) return notFound;
    return { status: 200, body: { commit: { parent_ids: found.parents, message: `${found.message}\n` } } };
  }

  /** All or nothing, as GitLab does it. */
  function commit({ branch, start_sha, commit_message, actions }: z.infer<typeof commitBody>) {
    if (branches.some(({ name }) => name === branch))
      return refused(`A branch called '${branch}' already exists.`);
    const wrong = actions.find(({ action, file_path }) =>
      action === 'chmod' ? false : (files[file_path] === undefined) !== (action === 'create'),
    );
    if (wrong !== undefined) return refused(`${wrong.file_path}: ${wrong.action}`);
    const changed = Object.fromEntries(
      actions.flatMap((one) => (one.action === 'chmod' ? [] : [[one.file_path, textOf(one)]])),
    );
    const executable = actions.flatMap((one) => (one.action === 'chmod' ? [one.file_path] : []));
    branches.push({ name: branch, parents: [start_sha], message: commit_message, changed, executable });
    return { status: 201, body: { id: 'c'.repeat(40), parent_ids: [start_sha] } };
  }

  function folder(path: string): ForgeServerAnswer {
    const above = path === '' ? '' : `${path}/`;
    const below = Object.keys(files).filter((name) => name.startsWith(above));
    if (below.length === 0) return { status: 404, body: { message: '404 Tree Not Found' } };
    const names = [...new Set(below.map((name) => name.slice(above.length).split('/')[0] ?? ''))];
    const entries = names.map((name) => {
      const file = files[`${above}${name}`];
      const id = Buffer.from(`${above}${name}`).toString('hex');
      if (file === undefined) return { id, name, type: 'tree', mode: '040000', path: `${above}${name}` };
      const type = file.mode === '160000' ? 'commit' : 'blob';
      return { id, name, type, mode: file.mode, path: `${above}${name}` };
    });
    return { status: 200, body: entries };
  }
}

function textOf(action: Exclude<Action, { action: 'chmod' }>): string | null {
  return action.action === 'delete' ? null : Buffer.from(action.content, 'base64').toString();
}

function refused(message: string): ForgeServerAnswer {
  return { status: 400, body: { message } };
}
