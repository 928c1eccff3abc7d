/** The git objects of a loopback GitHub, in memory: trees, blobs, commits and branches. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { notFound, unprocessable, type ForgeServerAnswer } from './forge-server.ts';
import { blobOf, commitOf, referenceOf } from './github-objects.ts';

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
    const [, method, kind, id] = /^(\w+) \/git\/(commits|trees|blobs|refs?)(?:\/(.+))?$/.exec(route) ?? [];
    if (kind === undefined) return null;
    if (method === 'GET') return read(kind, decodeURIComponent(id ?? ''));
    if (kind === 'trees') {
      const { sha } = keep(treeBody.parse(body));
      return { status: 201, body: { sha, truncated: false, tree: [] } };
    }
    if (kind === 'commits') {
      const commit = commitBody.parse(body);
      return { status: 201, body: commitOf({ ...commit, ...keep(commit) }) };
    }
    return kind === 'refs' ? makeBranch(refBody.parse(body)) : notFound;
  }

  function makeBranch({ ref, sha }: z.infer<typeof refBody>): ForgeServerAnswer {
    const name = ref.slice('refs/heads/'.length);
    if (branches.some((one) => one.name === name)) return unprocessable('Reference already exists');
    const commit = commitBody.parse(made.get(sha));
    const { tree } = treeBody.parse(made.get(commit.tree));
    const changed = Object.fromEntries(tree.map(({ path, content }) => [path, content ?? null]));
    branches.push({ name, sha, parents: commit.parents, message: commit.message, changed });
    return { status: 201, body: referenceOf(ref, sha) };
  }

  function read(kind: string, id: string): ForgeServerAnswer {
    if (kind === 'ref') {
      const found = branches.find(({ name }) => `heads/${name}` === id);
      return found === undefined ? notFound : { status: 200, body: referenceOf(`refs/${id}`, found.sha) };
    }
    if (kind === 'commits')
      return {
        status: 200,
        body: commitOf({ sha: id, tree: idOf('tree', ''), parents: [], message: 'Add a till' }),
      };
    if (kind === 'blobs') {
      const text = files[pathOf(id)]?.text;
      if (text === undefined) return notFound;
      return { status: 200, body: blobOf(id, text) };
    }
    const folder = pathOf(id);
    return { status: 200, body: { sha: id, truncated: false, tree: entriesOf(folder) } };
  }

  function entriesOf(folder: string) {
    const below = Object.keys(files).filter((path) => path.startsWith(folder));
    const names = [...new Set(below.map((path) => path.slice(folder.length).split('/')[0] ?? ''))];
    return names.map((path) => {
      const file = files[`${folder}${path}`];
      if (file !== undefined)
        return { path, mode: file.mode, type: 'blob', sha: idOf('blob', `${folder}${path}`) };
      return { path, mode: '040000', type: 'tree', sha: idOf('tree', `${folder}${path}/`) };
    });
  }
}

function idOf(kind: 'tree' | 'blob', path: string): string {
  return `${kind}-${Buffer.from(path).toString('hex')}`;
}

function pathOf(id: string): string {
  return Buffer.from(id.slice(id.indexOf('-') + 1), 'hex').toString();
}
