/** Makes a branch on GitHub without a clone: reads trees and blobs, writes a tree, a commit and a reference. */
import { z } from 'zod';
import type { BranchHost, FileOnHost } from '../commands/comment-host.ts';
import { blobSchema, fileOfBlob, isFileMode } from '../commands/file-on-host.ts';
import { unreadableAnswer, type PullRequestClient } from '../forge-client.ts';
import { ForgeError, nullIfMissing } from '../forge-error.ts';

const commitSchema = z.looseObject({
  tree: z.looseObject({ sha: z.string() }),
  committer: z.looseObject({ date: z.string() }),
});
const entrySchema = z.looseObject({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string() });
type Entry = z.infer<typeof entrySchema>;
const treeSchema = z.looseObject({ tree: z.array(entrySchema), truncated: z.boolean().nullish() });
const madeSchema = z.looseObject({ sha: z.string() });
const referenceSchema = z.looseObject({ object: madeSchema });

const folderMode = '040000';
/** The author of the commit; its date is the parent's, so that a repetition makes the same commit. */
const author = { name: 'collab', email: 'collab@users.noreply.github.com' };

export function createGithubBranches({ client, name }: PullRequestClient): BranchHost {
  const root = `repos/${name.repository}/git`;

  async function ask<Content>(path: string, schema: z.ZodType<Content>, body?: unknown): Promise<Content> {
    const accept = 'application/vnd.github+json';
    const request = body === undefined ? { path, accept } : { method: 'POST' as const, path, accept, body };
    return await client.read(request, schema);
  }

  /** Goes down folder by folder: a link on the way is no folder. */
  async function find(commit: string, path: string): Promise<Entry | null> {
    let { sha } = (await ask(`${root}/commits/${commit}`, commitSchema)).tree;
    const parts = path.split('/');
    for (const [index, part] of parts.entries()) {
      const { tree, truncated } = await ask(`${root}/trees/${sha}`, treeSchema);
      if (truncated === true) throw unreadableAnswer('github', `${root}/trees`);
      const entry = tree.find((one) => one.path === part);
      if (entry === undefined) return null;
      if (index === parts.length - 1) return entry;
      // A link or a module has nothing below it, and nothing can be made there.
      if (entry.mode !== folderMode) return entry;
      ({ sha } = entry);
    }
    return null;
  }

  /** Returns null if there is no such branch. */
  async function commitOf(branch: string): Promise<string | null> {
    const path = `${root}/ref/${encodeURIComponent(`heads/${branch}`)}`;
    return (await nullIfMissing(ask(path, referenceSchema)))?.object.sha ?? null;
  }

  return {
    async hasPath(commit, path) {
      return (await find(commit, path)) !== null;
    },
    async readFile(commit, path): Promise<FileOnHost | null> {
      const entry = await find(commit, path);
      if (entry === null || !isFileMode(entry.mode) || entry.path !== path.split('/').at(-1)) return null;
      const blob = await ask(`${root}/blobs/${entry.sha}`, blobSchema);
      return fileOfBlob(blob, entry.mode);
    },
    async putBranch({ name: branch, parent, message, files }) {
      const { tree: base, committer } = await ask(`${root}/commits/${parent}`, commitSchema);
      const entries = files.map(({ path, mode, text }) => ({
        path,
        mode,
        type: 'blob',
        ...(text === null ? { sha: null } : { content: text }),
      }));
      const tree = await ask(`${root}/trees`, madeSchema, { base_tree: base.sha, tree: entries });
      const by = { ...author, date: committer.date };
      const commit = { message, tree: tree.sha, parents: [parent], author: by, committer: by };
      const { sha } = await ask(`${root}/commits`, madeSchema, commit);
      try {
        await ask(`${root}/refs`, z.looseObject({}), { ref: `refs/heads/${branch}`, sha });
      } catch (error) {
        // An earlier attempt made it: the answer has not been written yet. Rules of the repository are refused in the same way.
        if (!(error instanceof ForgeError) || error.status !== 422 || (await commitOf(branch)) !== sha)
          throw error;
      }
      return `${name.server}/${name.repository}/tree/${branch}`;
    },
  };
}
