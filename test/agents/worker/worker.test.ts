/** The real Codex, driven by installed workers on other hosts through a review that a person submitted here. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reviewResultSchema } from '../../../src/review/outcome/result.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { wholeAnswer } from '../../fixtures/review-answers.ts';
import { inPlace, type Place } from '../../packed/place.ts';
import { startUpstream, type Upstream } from '../../upstream/responses-server.ts';
import { inOrder } from '../../upstream/steps.ts';
import { startHost, type OtherHost } from './other-host.ts';

let cluster: PostgresCluster;
let upstream: Upstream;
beforeAll(async () => {
  cluster = await startPostgres();
  upstream = await startUpstream(inOrder({ text: 'unscripted' }));
});
afterAll(async () => {
  await upstream.close();
  await cluster.remove();
});

const limitMs = 180_000;

test(
  'Codex on another host reads files of a repository that the host does not have, and the finding comes back',
  async () => {
    await withRepository(async ({ place, env, host }) => {
      const worker = await host();
      const before = upstream.requests.length;
      upstream.play(({ index }) => {
        if (index !== before) return { text: wholeAnswer };
        const own = worker.reviewFolder();
        const here = `${place.folder}/src/prices.ts`;
        const cmd = `cat '${own}/src/prices.ts' '${own}/src/total.ts' '${own}/.env' '${here}'`;
        return { calls: [{ name: 'exec_command', arguments: { cmd } }] };
      });
      const reviewed = await place.collab([...review, '--report', 'markdown=../report.md'], { env });
      expect(reviewed).toMatchObject({ code: 1 });
      const [asked, answered] = upstream.requests.slice(before);
      expect(asked?.text).toContain('sum = Math.floor(sum);');
      // The changed file, as it is in the working tree, and one that the change does not name.
      expect(answered?.lastInput).toContain('export const prices = [1.5, 2.25];');
      expect(answered?.lastInput).toContain('sum = Math.floor(sum);');
      expect(answered?.lastInput.match(/No such file/g)).toHaveLength(2);
      expect(answered?.lastInput).not.toContain('CANARY');
      const { findings } = reviewResultSchema.parse(JSON.parse(reviewed.stdout));
      expect(findings.filter(({ source }) => source === undefined)).toMatchObject([
        { severity: 'critical', path: 'src/total.ts', start_line: 4, placement: 'exact' },
      ]);
      expect(place.read('../report.md')).toContain('The total loses its cents');
    });
  },
  limitMs,
);

test(
  'a host that is lost in the middle of an answer of Codex is replaced: another one asks once more and ends the review',
  async () => {
    await withRepository(async ({ place, env, host }) => {
      const lost = await host();
      const before = upstream.requests.length;
      upstream.play(() => ({ text: wholeAnswer, hang: 'stream' }));
      const reviewing = place.collab(review, { env });
      await upstream.untilRequests(before + 1);
      await lost.lose();
      upstream.play(() => ({ text: wholeAnswer }));
      const other = await host();
      const reviewed = await reviewing;
      expect(reviewed).toMatchObject({ code: 1 });
      expect(other.stderr()).toContain('takes over');
      expect(upstream.requests.slice(before)).toHaveLength(2);
      await expect.poll(() => upstream.openTurns()).toBe(0);
    });
  },
  limitMs,
);

const review = 'review --remote --advisor codex --effort quick --no-conventions --format json'.split(' ');

interface Submitter {
  readonly place: Place;
  /** The environment of commands on the database. */
  readonly env: Readonly<Record<string, string>>;
  /** A host with a worker that is ready; it ends with the test. */
  readonly host: () => Promise<OtherHost>;
}

/** A person's repository in which `src/total.ts` is changed; no agent is installed here. */
async function withRepository(use: (submitter: Submitter) => Promise<void>): Promise<void> {
  const database = await cluster.createDatabase();
  const hosts: OtherHost[] = [];
  await inPlace(
    async (place) => {
      place.git('init', '-q');
      place.write('src/prices.ts', 'export const prices = [1.5, 2.25];\n');
      place.write('src/total.ts', total('  return sum;'));
      place.git('add', '.');
      place.git('commit', '-qm', 'first');
      place.write('.env', 'KEY=CANARY_ENV\n');
      place.write('src/total.ts', total('  sum = Math.floor(sum);\n  return sum;'));
      const host = async (): Promise<OtherHost> => {
        const started = await startHost({ place, upstream, database });
        hosts.push(started);
        const isReady = () => started.stderr().includes('is ready');
        await expect.poll(isReady, { timeout: 60_000, message: started.stderr() }).toBe(true);
        return started;
      };
      try {
        await use({ place, env: { COLLAB_ENGINE: database }, host });
      } finally {
        await Promise.all(hosts.map((one) => one.close()));
      }
    },
    ['pg'],
  );
}

function total(end: string): string {
  return `export function total(prices: readonly number[]): number {
  let sum = 0;
  for (const price of prices) sum += price;
${end}
}
`;
}
