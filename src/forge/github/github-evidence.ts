/** The evidence of a round on GitHub: a check run or, if the login may write none, a commit status. */
import { z } from 'zod';
import { tooManyItems, type PullRequestClient } from '../forge-client.ts';
import { ForgeError } from '../forge-error.ts';
import type { RoundEvidence } from '../round/round-host.ts';
import { changeOnGithub } from './github-forge.ts';

const checkName = 'collab';
const mostPages = 50;
/** GitHub refuses longer descriptions of a commit status. */
const longestDescription = 140;

const checkRunsSchema = z.looseObject({
  total_count: z.int(),
  check_runs: z.array(z.looseObject({ id: z.int(), external_id: z.string().nullish() })),
});

type CheckRun = z.infer<typeof checkRunsSchema>['check_runs'][number];

/** Returns the kind of evidence that the login may give; null if it may give none. @throws ForgeError */
export async function putGithubEvidence(
  { client, name }: PullRequestClient,
  evidence: RoundEvidence,
): Promise<'check run' | 'commit status' | null> {
  const root = `repos/${name.repository}`;
  if (await succeeds(() => putCheckRun(evidence))) return 'check run';
  return (await succeeds(() => putStatus(evidence))) ? 'commit status' : null;

  async function write(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<void> {
    await client.send(changeOnGithub(method, path, body));
  }

  /** The check run of the same result is written again, not once more. */
  async function putCheckRun({ head, isPassed, title, text, digest, url }: RoundEvidence): Promise<void> {
    const fields = {
      name: checkName,
      external_id: digest,
      status: 'completed',
      conclusion: isPassed ? 'success' : 'failure',
      output: { title: title.slice(0, 255), summary: text },
      ...(url === null ? {} : { details_url: url }),
    };
    const former = await findCheckRun(head, digest);
    if (former === null) await write('POST', `${root}/check-runs`, { ...fields, head_sha: head });
    else await write('PATCH', `${root}/check-runs/${former.id}`, fields);
  }

  /** Returns null if there is none: other results, and other programs, can have many of this name. */
  async function findCheckRun(head: string, digest: string): Promise<CheckRun | null> {
    const path = `${root}/commits/${head}/check-runs?check_name=${checkName}&per_page=100`;
    for (let page = 1, seen = 0; ; page++) {
      if (page > mostPages) throw tooManyItems('github', path);
      const more = page === 1 ? '' : `&page=${page}`;
      const found = await client.read({ path: `${path}${more}` }, checkRunsSchema);
      const former = found.check_runs.find(({ external_id: id }) => id === digest);
      if (former !== undefined) return former;
      seen += found.check_runs.length;
      if (found.check_runs.length === 0 || seen >= found.total_count) return null;
    }
  }

  async function putStatus({ head, isPassed, title, digest, url }: RoundEvidence): Promise<void> {
    const proof = ` (${digest.slice(0, 12)})`;
    await write('POST', `${root}/statuses/${head}`, {
      context: checkName,
      state: isPassed ? 'success' : 'failure',
      description: `${title.slice(0, longestDescription - proof.length)}${proof}`,
      ...(url === null ? {} : { target_url: url }),
    });
  }
}

/** Returns false if the login has no right to it. */
async function succeeds(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof ForgeError && (error.code === 'auth' || error.status === 404)) return false;
    throw error;
  }
}
