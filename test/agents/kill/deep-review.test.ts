/** A deep review by the real Codex that is killed at a commit point and resumed. */
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import {
  eventsOf,
  finishedSteps,
  prepareStage,
  resultOf,
  runId,
  type Stage,
} from '../../contract/review/rehearsed-review.ts';
import { answerOf, cleanAnswer, markOf, verdict } from '../../fixtures/review-answers.ts';
import { buildProgram } from '../../setup/build-program.ts';
import { pointsFrom, somePoints } from '../../setup/points.ts';
import type { Script } from '../../upstream/steps.ts';
import { createReviewWorld, type ReviewWorld } from '../review/review-user.ts';

const source = join(import.meta.dirname, '../../contract/review/review.program.ts');

let review: ReviewWorld;
let program = '';

beforeAll(async () => {
  review = await createReviewWorld();
  program = await buildProgram(source, join(review.world.root, 'program'));
});
afterEach(() => review.nothingLeft());
afterAll(() => review.close());

/** One lens finds a fault in the first chunk, the pass after the lenses one in the second; both are checked. */
const script: Script = ({ text }) => {
  if (text.includes('[RESPONSE:FINDING]')) return { text: verdict('confirm', 'None') };
  const step = stepOf(text);
  if (step === 'review/chunk-1-security/turn-1') return { text: answerOf(1) };
  return { text: step === 'review/chunk-2-missed-1/turn-1' ? answerOf(2) : cleanAnswer };
};

test(
  'XB-1 kill -9 at a commit point of a deep review: the same result, and no finished call is made twice',
  { timeout: 900_000 },
  async () => {
    review.upstream.play(script);
    const whole = await stageOf('whole');
    const commits = Number((await drive(whole, 0)).stdout);
    const result = outcomeOf(whole);
    expect(result).toMatchObject({
      outcome: 'findings',
      findings: [
        { path: 'src/part-1.ts', verdict: 'confirmed' },
        { path: 'src/part-2.ts', verdict: 'confirmed' },
      ],
    });

    for (const commit of somePoints(pointsFrom(1, commits), 8)) {
      const stage = await stageOf(`killed-${commit}`);
      // A run can join more events in a commit than the first one did, and end before this point.
      const { signal = 'ended' } = await drive(stage, commit);
      expect(['SIGKILL', 'ended']).toContain(signal);
      await review.nothingLeft();
      const finished = finishedSteps(eventsOf(stage));
      const before = review.upstream.requests.length;

      const resumed = await review.folder({ path: stage.folder }).run('resume', runId);
      const asked = review.upstream.requests.slice(before).map(({ text }) => stepOf(text));
      expect({
        commit,
        code: resumed.code,
        result: outcomeOf(stage),
        repeated: asked.filter((step) => finished.includes(step)),
        broken: checkLaws(eventsOf(stage)),
      }).toEqual({ commit, code: 1, result, repeated: [], broken: [] });
    }
  },
);

function stageOf(name: string): Promise<Stage> {
  return prepareStage(join(review.world.root, name), {
    advisor: 'codex',
    env: review.world.env,
    effort: 'deep',
  });
}

/** SIGKILL after so many commit points; 0 for none. */
function drive(stage: Stage, stopAfter: number) {
  return execa(process.execPath, [program, stage.folder, String(stopAfter)], {
    env: review.world.env,
    extendEnv: false,
    reject: false,
  });
}

/** Names the step of a conversation: the last input alone can be the sentence that continues a cut turn. */
function stepOf(prompt: string): string {
  const chunk = prompt.includes(markOf(1)) ? 1 : 2;
  if (prompt.includes('[RESPONSE:FINDING]')) return `review/verify-F${chunk}/ask-1/turn-1`;
  const [lens] = Object.entries(lenses).find(([, words]) => prompt.includes(words)) ?? [];
  const missed = prompt.includes('Fault of file 2') ? 'missed-2' : 'missed-1';
  return `review/chunk-${chunk}-${lens ?? missed}/turn-1`;
}

const lenses = {
  correctness: 'This pass is about correctness',
  security: 'This pass is about security',
  data: 'This pass is about data',
  contract: 'This pass is about contracts',
};

/** The result without digests, which depend on random fences, and attempts: a turn that was cut continues in another. */
function outcomeOf(stage: Stage) {
  const { outcome, reasons, exit_code, findings, second_opinion, exchanges } = resultOf(stage);
  return { outcome, reasons, exit_code, findings, second_opinion, exchanges: exchanges.map(({ id }) => id) };
}
