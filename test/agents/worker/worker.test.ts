/** The real Codex, driven by installed workers on other hosts through a review that a person submitted here. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reviewResultSchema } from '../../../src/review/outcome/result.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { wholeAnswer } from '../../fixtures/review-answers.ts';
import type { Models } from './other-host.ts';
import { commitAll, endModels, startModels, withSubmitter, type Submitter } from './submitter.ts';

let cluster: PostgresCluster;
let models: Models;
beforeAll(async () => {
  cluster = await startPostgres();
  models = await startModels();
});
afterAll(async () => {
  await endModels(models);
  await cluster.remove();
});

const limitMs = 180_000;

test(
  'Codex on another host reads files of a repository that the host does not have, and the finding comes back',
  async () => {
    await withRepository(async ({ place, env, host }) => {
      const worker = await host();
      const before = models.codex.requests.length;
      models.codex.play(({ index }) => {
        if (index !== before) return { text: wholeAnswer };
        const own = worker.reviewFolder();
        const here = `${place.folder}/src/prices.ts`;
        const cmd = `cat '${own}/src/prices.ts' '${own}/src/total.ts' '${own}/.env' '${here}'`;
        return { calls: [{ name: 'exec_command', arguments: { cmd } }] };
      });
      const reviewed = await place.collab([...review, '--report', 'markdown=../report.md'], { env });
      expect(reviewed).toMatchObject({ code: 1 });
      const [asked, answered] = models.codex.requests.slice(before);
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
      const before = models.codex.requests.length;
      models.codex.play(() => ({ text: wholeAnswer, hang: 'stream' }));
      const reviewing = place.collab(review, { env });
      await models.codex.untilRequests(before + 1);
      await lost.lose();
      models.codex.play(() => ({ text: wholeAnswer }));
      const other = await host();
      const reviewed = await reviewing;
      expect(reviewed).toMatchObject({ code: 1 });
      expect(other.stderr()).toContain('takes over');
      expect(models.codex.requests.slice(before)).toHaveLength(2);
      await expect.poll(() => models.codex.openTurns()).toBe(0);
    });
  },
  limitMs,
);

const review = 'review --remote --advisor codex --effort quick --no-conventions --format json'.split(' ');

/** A person's repository in which `src/total.ts` is changed; no agent is installed here. */
function withRepository(use: (submitter: Submitter) => Promise<void>): Promise<void> {
  return withSubmitter({ cluster, models }, async (submitter) => {
    const { place } = submitter;
    place.write('src/prices.ts', 'export const prices = [1.5, 2.25];\n');
    place.write('src/total.ts', total('  return sum;'));
    commitAll(place);
    place.write('.env', 'KEY=CANARY_ENV\n');
    place.write('src/total.ts', total('  sum = Math.floor(sum);\n  return sum;'));
    await use(submitter);
  });
}

function total(end: string): string {
  return `export function total(prices: readonly number[]): number {
  let sum = 0;
  for (const price of prices) sum += price;
${end}
}
`;
}
