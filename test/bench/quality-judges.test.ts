/** The judges of `npm run quality`, its arguments and its costs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readArguments } from '../../bench/quality/arguments.ts';
import { addCosts, costOf, effortIn, renderCost } from '../../bench/quality/cost.ts';
import { chooseJudge } from '../../bench/quality/judges/choose-judge.ts';
import { judgeAll, openQuestions, readJudgments } from '../../bench/quality/judges/judge-findings.ts';
import type { JudgeQuestion } from '../../bench/quality/judges/judge.ts';
import { readVerdict } from '../../bench/quality/judges/read-verdict.ts';
import type { SavedResults } from '../../bench/quality/scores/saved-results.ts';
import { findingSchema } from '../../src/events/collab-event.ts';
import { scratchFolder } from '../fixtures/scratch-repository.ts';

const question = {
  faults: [
    { id: '1', text: 'a' },
    { id: '2', text: 'b' },
  ],
  finding: { title: 't', text: 'x' },
};

test('the last object of an answer is the verdict; a fault that was not asked about is an error', () => {
  expect(readVerdict('Hm {"same": [1]} no:\n```json\n{"same": ["2", "2"]}\n```', question)).toEqual(['2']);
  expect(readVerdict('{"same": []}', question)).toEqual([]);
  expect(() => readVerdict('{"same": ["3"]}', question)).toThrow('fault 3');
  for (const text of ['', 'yes', '{"other": []}', '{"same": [}']) {
    expect(() => readVerdict(text, question)).toThrow('did not answer with');
  }
});

test('a command gets the question on standard input, and never a file or a line', async () => {
  const file = join(scratchFolder(), 'question.json');
  const { name, judge } = chooseJudge(`command:cat > '${file}'; echo '{"same": ["2"]}'`, []);
  expect(name).toMatch(/^command:cat/);
  expect(await judge?.judge(question)).toEqual(['2']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(question);
  await expect(chooseJudge('command:exit 3', []).judge?.judge(question)).rejects.toThrow('ended with 3');
});

test('without a choice words judge if each fault has some, else nobody', () => {
  const fault = {
    id: '1',
    text: 'a',
    path: null,
    start_line: null,
    end_line: null,
    side: 'new',
    severity: [],
  } as const;
  expect(chooseJudge(null, [{ ...fault, words: ['lock'] }]).name).toBe('words');
  expect(chooseJudge(null, [{ ...fault, words: [] }]).name).toBe('none');
  expect(() => chooseJudge('words', [{ ...fault, words: [] }])).toThrow('needs a set that lists words');
  expect(() => chooseJudge('nobody', [])).toThrow('there is no judge "nobody"');
});

test('each question is judged once, and its judgment is in the file before the next', async () => {
  const file = join(scratchFolder(), 'judgments.jsonl');
  const asked: string[] = [];
  const judge = {
    name: 'j',
    judge: ({ finding: { title } }: JudgeQuestion) => {
      asked.push(title);
      return title === 'bad' ? Promise.reject(new Error('no answer')) : Promise.resolve(['1']);
    },
  };
  const results = resultsWith(['one', 'one', 'bad'], 'rejected one');
  const open = openQuestions(results, 'j');
  await expect(judgeAll(open, judge, file)).rejects.toThrow('no answer');
  expect(asked).toEqual(['one', 'bad']);
  const kept = readJudgments(file);
  expect(kept).toEqual([{ key: open[0]?.key, same: ['1'] }]);
  const left = openQuestions({ ...results, judgments: [...kept] }, 'j');
  expect(left.map(({ question: { finding } }) => finding.title)).toEqual(['bad']);
  expect(openQuestions({ ...results, judgments: [...kept] }, 'another')).toHaveLength(2);
});

test('arguments: none, a measurement with flags of a review, a replay, a comparison', () => {
  expect(readArguments([])).toEqual({ kind: 'shipped' });
  expect(readArguments(['--set', 's', '--advisor', 'codex', '--', '--effort', 'deep'])).toMatchObject({
    kind: 'measure',
    set: 's',
    runs: 3,
    yes: false,
    further: ['--effort', 'deep'],
  });
  expect(readArguments(['--replay', 'a.json'])).toMatchObject({
    kind: 'replay',
    file: 'a.json',
    judge: null,
  });
  expect(readArguments(['--compare', 'a', 'b'])).toEqual({ kind: 'compare', before: 'a', after: 'b' });
  expect(readArguments(['-h'])).toEqual({ kind: 'help' });
});

test.each([
  [['--set', 's'], '--advisor is missing'],
  [['--advisor', 'codex', '--runs', '0'], '--runs needs a whole number'],
  [['--advisor', 'codex', 'extra'], 'unexpected argument extra'],
  [['--compare', 'a'], '--compare takes two files'],
  [['--nothing'], "Unknown option '--nothing'"],
])('%j is refused', (line, message) => {
  expect(() => readArguments(line)).toThrow(message);
});

test('the cost is the range of the effort that the reviews have', () => {
  const plan = `1 exchange\n--effort quick: 1 call, about 2,642 to 6,642 tokens of requests and answers\n--effort deep: 5 to 16 calls, about 13,617 to 120,361 tokens of requests and answers\n`;
  expect(costOf(plan, 'quick')).toEqual({ calls: [1, 1], tokens: [2642, 6642] });
  const deep = costOf(plan, 'deep');
  expect(renderCost(addCosts([deep, deep], 3))).toBe(
    '30 to 96 calls of the advisor, about 81,702 to 722,166 tokens of requests and answers',
  );
  expect(() => costOf(plan, 'standard')).toThrow('no range for --effort standard');
  expect([effortIn([]), effortIn(['--effort', 'deep']), effortIn(['--effort=quick'])]).toEqual([
    'standard',
    'deep',
    'quick',
  ]);
});

function resultsWith(titles: readonly string[], rejected: string): SavedResults {
  const fault = { id: '1', text: 'a', path: null, start_line: null, end_line: null, side: 'new' as const };
  const findings = [
    ...titles.map((title) => findingOf(title, 'unverified')),
    findingOf(rejected, 'rejected'),
  ];
  const review = { run: 1, outcome: 'findings', tokens: 0, cost_usd: null, findings };
  return {
    schema: 'collab.quality/v1',
    format: 'collab',
    advisor: 'a',
    arguments: [],
    runs: 1,
    changes: [
      { name: 'a', faults: [{ ...fault, severity: [], words: [] }] },
      { name: 'harmless', faults: [] },
    ],
    reviews: [
      { ...review, change: 'a' },
      { ...review, change: 'harmless' },
    ],
    judge: 'j',
    judgments: [],
  };
}

function findingOf(title: string, verdict: 'unverified' | 'rejected') {
  return findingSchema.parse({
    id: title,
    identity: title,
    severity: 'minor',
    title,
    body: '',
    path: null,
    start_line: null,
    end_line: null,
    side: null,
    placement: 'unplaced',
    quote: null,
    verdict,
  });
}
