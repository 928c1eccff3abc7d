/** The git objects of a loopback GitHub, in memory: trees, blobs, commits and branches. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { notFound, type ForgeServerAnswer } from './forge-server.ts';

export interface GitFile {
  readonly mode: string;
  readonly text: string;
}

const treeBody = z.strictObject({
  base_tree: z.string(),
  tree: z.array(
    z.strictObject({
      path: z.string(),
      mode: z.enum(['100644', '100755']),
      type: z.literal('blob'),
      content: z.string().optional(),
      sha: z.null().optional(),
    }),
  ),
});
const person = z.strictObject({ name: z.string(), email: z.string(), date: z.iso.datetime() });
const commitBody = z.strictObject({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()),
  author: person,
  committer: person,
});
const refBody = z.strictObject({ ref: z.string().startsWith('refs/heads/'), sha: z.string() });

/** A commit that was made: its files, with null for those that it deletes. */
export interface MadeBranch {
  readonly name: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly changed: Readonly<Record<string, string | null>>;
}

export function createGithubGit(files: Readonly<Record<string, GitFile>>) {
  const made = new Map<string, unknown>();
  const branches: (MadeBranch & { readonly sha: string })[] = [];
  const keep = (value: unknown): { readonly sha: string } => {
    const sha = createHash('sha1').update(JSON.stringify(value)).digest('hex');
    made.set(sha, value);
    return { sha };
  };
  return { branches: (): readonly MadeBranch[] => branches, answer };

  /** Returns null for a route of something else. */
  function answer(route: string, body: unknown): ForgeServerAnswer | null {
    const [, method, kind, id] = /^(\w+) \/git\/(commits|trees|blobs|refs)(?:\/(.+))?$/.exec(route) ?? [];
    if (kind === undefined) return null;
    if (method === 'GET') return read(kind, decodeURIComponent(id ?? ''));
    if (kind === 'trees') return { status: 201, body: keep(treeBody.parse(body)) };
    if (kind === 'commits') return { status: 201, body: keep(commitBody.parse(body)) };
    return kind === 'refs' ? makeBranch(refBody.parse(body)) : notFound;
  }

  function makeBranch({ ref, sha }: z.infer<typeof refBody>): ForgeServerAnswer {
    const name = ref.slice('refs/heads/'.length);
    if (branches.some((one) => one.name === name))
      return { status: 422, body: { message: 'Reference already exists' } };
    const commit = commitBody.parse(made.get(sha));
    const { tree } = treeBody.parse(made.get(commit.tree));
    const changed = Object.fromEntries(tree.map(({ path, content }) => [path, content ?? null]));
    branches.push({ name, sha, parents: commit.parents, message: commit.message, changed });
    return { status: 201, body: { ref } };
  }

  function read(kind: string, id: string): ForgeServerAnswer {
    if (kind === 'commits')
      return {
        status: 200,
        body: { sha: id, tree: { sha: 'tree-' }, committer: { date: '2026-11-27T10:00:00Z' } },
      };
    if (kind === 'blobs') {
      const text = files[id.slice('blob-'.length)]?.text;
      if (text === undefined) return notFound;
      return { status: 200, body: { encoding: 'base64', content: Buffer.from(text).toString('base64') } };
    }
    const folder = id.slice('tree-'.length);
    return { status: 200, body: { sha: id, truncated: false, tree: entriesOf(folder) } };
  }

  function entriesOf(folder: string) {
    const below = Object.keys(files).filter((path) => path.startsWith(folder));
    const names = [...new Set(below.map((path) => path.slice(folder.length).split('/')[0] ?? ''))];
    return names.map((path) => {
      const file = files[`${folder}${path}`];
      if (file !== undefined) return { path, mode: file.mode, type: 'blob', sha: `blob-${folder}${path}` };
      return { path, mode: '040000', type: 'tree', sha: `tree-${folder}${path}/` };
    });
  }
}
