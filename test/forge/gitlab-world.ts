/** A GitLab on loopback with one project, shop/web/till, and its merge requests. */
import { notFound, startForgeServer, type Fault, type ForgeServer } from './forge-server.ts';
import type { WorldPull } from './github-world.ts';

export interface GitlabWorldOptions {
  readonly pulls: readonly WorldPull[];
  readonly faults?: readonly Fault[];
}

export interface GitlabWorld extends ForgeServer {
  /** The environment of a command whose host this is. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startGitlabWorld({ pulls, faults = [] }: GitlabWorldOptions): Promise<GitlabWorld> {
  const server = await startForgeServer({
    faults,
    answer({ method, path }) {
      const [, number, diff] =
        /^\/api\/v4\/projects\/shop%2Fweb%2Ftill\/merge_requests\/(\d+)(\/raw_diffs)?$/.exec(path) ?? [];
      const pull = pulls.find((one) => String(one.number) === number);
      if (method !== 'GET' || pull === undefined) return notFound;
      return { status: 200, body: diff === undefined ? mergeRequestOf(pull) : (pull.diff ?? '') };
    },
  });
  return { ...server, env: { GITLAB_HOST: server.url } };
}

export function mergeRequestOf({ number, title, body, base, head, draft = false }: WorldPull) {
  return {
    iid: number,
    title,
    description: body,
    draft,
    state: 'opened',
    web_url: `https://gitlab.example/shop/web/till/-/merge_requests/${number}`,
    sha: head,
    diff_refs: { base_sha: base, head_sha: head, start_sha: base },
  };
}
