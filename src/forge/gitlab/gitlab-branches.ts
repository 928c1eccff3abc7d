/** Makes a branch on GitLab without a clone: reads folders and blobs, and writes one commit. */
import { z } from 'zod';
import type { BranchHost, FileOnHost, NewBranch } from '../commands/comment-host.ts';
import { blobSchema, fileOfBlob, isFileMode } from '../commands/file-on-host.ts';
import { unreadableAnswer, type PullRequestClient } from '../forge-client.ts';
import { ForgeError, nullIfMissing } from '../forge-error.ts';

const entrySchema = z.looseObject({ id: z.string(), name: z.string(), type: z.string(), mode: z.string() });
type Entry = z.infer<typeof entrySchema>;
const branchSchema = z.looseObject({
  commit: z.looseObject({ parent_ids: z.array(z.string()), message: z.string() }),
});

export function createGitlabBranches({ client, name }: PullRequestClient): BranchHost {
  const root = `projects/${encodeURIComponent(name.repository)}/repository`;

  /** Returns nothing for a folder that is not there: git has no empty ones. */
  async function list(commit: string, folder: string): Promise<readonly Entry[]> {
    const query = new URLSearchParams({ ref: commit, ...(folder === '' ? {} : { path: folder }) });
    const found = await nullIfMissing(client.list(`${root}/tree?${query}`));
    const entries = z.array(entrySchema).safeParse(found ?? []);
    if (!entries.success) throw unreadableAnswer('gitlab', `${root}/tree`);
    return entries.data;
  }

  /** Returns the entry of the path, else the link, module or file on the way to it; null: nothing is in its way. */
  async function find(commit: string, path: string): Promise<(Entry & { readonly isWhole: boolean }) | null> {
    const all = path.split('/');
    for (let parts = all; parts.length > 0; parts = parts.slice(0, -1)) {
      const entries = await list(commit, parts.slice(0, -1).join('/'));
      const entry = entries.find((one) => one.name === parts.at(-1));
      const isWhole = parts.length === all.length;
      if (entry !== undefined) return isWhole || entry.type !== 'tree' ? { ...entry, isWhole } : null;
      if (entries.length > 0) return null;
    }
    return null;
  }

  /** GitLab takes no date for a commit, so that a repetition cannot make the same one. */
  async function isMade({ name: branch, parent, message }: NewBranch): Promise<boolean> {
    const path = `${root}/branches/${encodeURIComponent(branch)}`;
    const found = await nullIfMissing(client.read({ path }, branchSchema));
    const { parent_ids: parents = [], message: said = '' } = found?.commit ?? {};
    return parents.length === 1 && parents[0] === parent && said.trim() === message;
  }

  return {
    async hasPath(commit, path) {
      return (await find(commit, path)) !== null;
    },
    async readFile(commit, path): Promise<FileOnHost | null> {
      const entry = await find(commit, path);
      if (entry === null || !entry.isWhole || !isFileMode(entry.mode)) return null;
      const blob = await client.read({ path: `${root}/blobs/${entry.id}` }, blobSchema);
      return fileOfBlob(blob, entry.mode);
    },
    async putBranch(made) {
      const { name: branch, parent, message, files } = made;
      const body = {
        branch,
        start_sha: parent,
        commit_message: message,
        actions: files.flatMap(actionsOf),
      };
      try {
        await client.send({ method: 'POST', path: `${root}/commits`, body });
      } catch (error) {
        // An earlier attempt made it: the answer has not been written yet.
        if (!(error instanceof ForgeError) || error.status !== 400 || !(await isMade(made))) throw error;
      }
      return `${name.server}/${name.repository}/-/tree/${branch}`;
    },
  };
}

/** A change keeps the mode of its file; a new one is made executable by an action of its own. */
function actionsOf({ path, mode, text, isNew }: NewBranch['files'][number]): readonly unknown[] {
  if (text === null) return [{ action: 'delete', file_path: path }];
  const content = Buffer.from(text).toString('base64');
  const write = { action: isNew ? 'create' : 'update', file_path: path, content, encoding: 'base64' };
  const isExecutable = isNew && mode === '100755';
  return isExecutable ? [write, { action: 'chmod', file_path: path, execute_filemode: true }] : [write];
}
