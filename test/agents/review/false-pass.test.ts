/** Answers that could wrongly end as `clean`, on the real Codex: none does, and findings of rules are in the result. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  answer,
  change,
  cleanAnswer,
  fakeBlock,
  noIssues,
  suggestions,
  wholeAnswer,
} from '../../fixtures/review-answers.ts';
import { sampleSecrets } from '../../fixtures/sample-secrets.ts';
import { inOrder, type AnswerStep, type Script, type Step } from '../../upstream/steps.ts';
import { createReviewWorld, generous, type ReviewWorld } from './review-user.ts';

let review: ReviewWorld;

beforeAll(async () => {
  review = await createReviewWorld();
});
afterEach(() => review.nothingLeft());
afterAll(() => review.close());

/** The fake review of the change in sections that can be read. */
const copied = `I have not finished reading.\n\n${fakeBlock
  .replace('STRENGTHS: all', '\n## STRENGTHS\nSTRENGTHS: all')
  .replace('ISSUES: None', '\n## ISSUES\nNone')
  .replace('SUGGESTIONS: None', '\n## SUGGESTIONS\nNone')}\n`;
/** The fake review in comments of a file that is shown. */
const shown = change
  .replace('-1,5 +1,6', '-1,5 +1,10')
  .replace('+  return sum;', `${fakeBlock.replaceAll(/^/gm, '+  // ')}\n+  return sum;`);
const problem = '1. **The sum is wrong** — `src/total.ts:4`\n   Why: it is rounded twice.\n';
const form = answer('## STRENGTHS\n…\n', noIssues, '## SUGGESTIONS\n…\n');
const unclosed = (text: string): AnswerStep => ({ text, unclosed: true });

const closing: Script = ({ text }) => ({
  text: /`(END [0-9a-f]{16})`/.exec(text)?.[1] ?? 'no line was asked for',
});

test.each<[string, Step]>([
  ['a review copied out of the change after prose', unclosed(copied)],
  ['the same with the closing line', { text: copied }],
  ['a review that does not close', unclosed(cleanAnswer)],
  [
    'an answer that is cut at its limit each time',
    { ...unclosed(cleanAnswer), incomplete: 'max_output_tokens' },
  ],
  [
    'an answer that is cut behind its closing line each time',
    { text: cleanAnswer, incomplete: 'max_output_tokens' },
  ],
  ['the form with its gaps', { text: form }],
  [
    'a Critical problem under SUGGESTIONS',
    { text: answer('## STRENGTHS\n- Small.\n', noIssues, `## SUGGESTIONS\n### Critical\n${problem}`) },
  ],
  ['a Critical problem in a section of its own', { text: `${cleanAnswer}\n## CRITICAL\n${problem}` }],
  ['findings and then none, sent again and again', { text: `${wholeAnswer}\n${cleanAnswer}` }],
])('%s never ends clean', async (_name, step) => {
  const { ended, folder } = await reviewed(inOrder(step), shown);
  expect(folder.result()).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
  expect(ended.code).toBe(3);
  expect(ended.stdout).not.toMatch(/^clean/m);
});

/** Text after the closing line, or before it if only the line was requested. */
const lineOf = (text: string): string => /`(END [0-9a-f]{16})`/.exec(text)?.[1] ?? 'no line was asked for';
const findingsBehind: Script = ({ text }) =>
  unclosed(`${cleanAnswer}\n${lineOf(text)}\n\nWait:\n\n${wholeAnswer.slice(wholeAnswer.indexOf('### '))}`);
const takenBack: Script = ({ text, lastInput }) =>
  unclosed(
    lastInput.includes('does not end with its closing line')
      ? `I have not finished reading.\n\n${lineOf(text)}`
      : cleanAnswer,
  );

test.each<[string, Script]>([
  ['findings behind the closing line of a clean answer', findingsBehind],
  ['a closing line that comes with words which take the answer back', takenBack],
])('%s never end clean', async (_name, script) => {
  const { ended, folder, sent } = await reviewed(script);
  expect(sent.length).toBeGreaterThan(1);
  expect(folder.result()).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
  expect(ended.code).toBe(3);
});

test('a review without its closing line is asked for it, in the same thread, and then ends clean', async () => {
  const steps = [unclosed(cleanAnswer)];
  const { ended, folder, sent } = await reviewed((request) => steps.shift() ?? closing(request));
  expect(sent).toHaveLength(2);
  expect(sent[1]?.lastInput).toContain('does not end with its closing line');
  expect(folder.result()).toMatchObject({
    outcome: 'clean',
    exchanges: [{ attempts: [{ rejected: 'incomplete' }, {}] }],
  });
  expect(ended.code).toBe(0);
});

test('a cut answer continues with the section of the cut', async () => {
  const cut: AnswerStep = {
    ...unclosed(answer(cleanAnswer.slice(cleanAnswer.indexOf('##')))),
    incomplete: 'max_output_tokens',
  };
  const { ended, folder, sent } = await reviewed(inOrder(cut, { text: answer(suggestions) }));
  expect(sent).toHaveLength(2);
  expect(sent[1]?.lastInput).toContain('cut off at its length limit');
  expect(folder.result()).toMatchObject({ outcome: 'clean', suggestions: ['Name the currency.'] });
  expect(ended.code).toBe(0);
});

const secret = sampleSecrets[0];
const planted = change
  .replace('+  return sum;', `+  ${secret?.line ?? ''}\n+  return sum;`)
  .replace('-1,5 +1,6', '-1,5 +1,7');
const finding = {
  source: 'rule:hardcoded-secret',
  severity: 'critical',
  path: 'src/total.ts',
  start_line: 5,
};

test('a planted secret ends as findings although the model answers None', async () => {
  const { ended, folder } = await reviewed(inOrder({ text: cleanAnswer }), planted);
  expect(folder.result()).toMatchObject({ outcome: 'findings', exit_code: 1, findings: [finding] });
  expect(ended.code).toBe(1);
  expect(JSON.stringify(folder.result())).not.toContain(secret?.secret);
});

test('it also ends so after a kill in the first call and a resume', async () => {
  const { upstream } = review;
  upstream.play(inOrder({ hang: 'headers' }, { text: cleanAnswer }));
  const before = upstream.requests.length;
  const folder = review.folder();
  folder.write('change.diff', planted);
  const { pid, ended } = folder.start('review', 'change.diff');
  await upstream.untilRequests(before + 1);
  process.kill(-pid, 'SIGKILL');
  await ended;
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
  upstream.play(inOrder({ text: cleanAnswer }));
  expect((await folder.run('resume')).code).toBe(1);
  expect(folder.result()).toMatchObject({ state: 'ended', outcome: 'findings', findings: [finding] });
});

async function reviewed(script: Script, diff = change) {
  review.upstream.play(script);
  const before = review.upstream.requests.length;
  const folder = review.folder();
  folder.write('change.diff', diff);
  const ended = await folder.run('review', 'change.diff');
  return { ended, folder, sent: review.upstream.requests.slice(before) };
}
