/** A command in a comment while its host fails: at each of its requests, in each way. */
import { expect, onTestFinished, test } from 'vitest';
import { eitherHost, type EitherHost } from '../../../test/forge/either-host.ts';
import type { Fault, ForgeServerRequest } from '../../../test/forge/forge-server.ts';
import type { Clock } from '../../system/clock.ts';
import type { ForgeKind } from '../contract.ts';
import { ForgeError } from '../forge-error.ts';
import { openCommentHost, openRoundHost } from '../open-forge.ts';
import { answerMark, createMarks, roundMark } from '../round/marks.ts';
import { publishRound } from '../round/publish-round.ts';
import { diffOf, findingOn, headOf, roundResult } from '../round/rounds.test-helper.ts';
import { carryOut } from './carry-out.ts';
import type { NextJob } from './command-facts.ts';
import { describeCommentName, readCommentName } from './comment-name.ts';
import type { FixResult } from './fix-result.ts';

/** More than a command has requests: each has a finding of its own. */
const mostRequests = 24;
const lines = Array.from({ length: mostRequests }, (_, at) => `log(cash${at + 1});`);
const files = { 'a.ts': lines };
const found = lines.map((quote, at) =>
  findingOn({ path: 'a.ts', line: at + 1, quote, title: `log ${at + 1}`, severity: 'important' }),
);
const text = lines.map((line) => `${line}\n`).join('');
const opened = {
  head: headOf(1),
  diff: diffOf(files),
  files: { 'a.ts': { text, mode: '100644' } },
};
const marks = createMarks({ scope: 'shop/till 7', secret: null });

interface Case extends Pick<Fault, 'answer' | 'isDone'> {
  readonly of?: (request: ForgeServerRequest) => boolean;
}

interface Command {
  /** The command about a finding. */
  readonly words: (number: number) => string;
  readonly fix?: (number: number) => FixResult;
  /** Requests at least. */
  readonly least: number;
  readonly check: (done: Done) => void;
}

interface Done {
  readonly world: EitherHost;
  /** Our names of the comments, which ask about F1, F2 and so on. */
  readonly names: readonly string[];
  readonly announced: readonly NextJob[];
}

interface Settled extends Done {
  /** The lines about waits. */
  readonly waits: readonly string[];
  /** The number of faults. */
  readonly hits: number;
  readonly errors: readonly unknown[];
}

/**
 * Publishes a round, and writes a command about each of its findings, with a fault at the first request of the first command, at the
 * second one of the second, and so on until a command has no such request. A command that ends with an error is carried out again.
 */
async function commandAll(
  forge: ForgeKind,
  { words, fix }: Command,
  { answer, isDone = false, of = () => true }: Case,
): Promise<Settled> {
  let [current, before, hits] = [0, 0, 0];
  const faults = lines.map((_, at): Fault => {
    const when = (request: ForgeServerRequest): boolean => {
      const isNow = current === at + 1 && world.requests().length - before === current && of(request);
      if (isNow) hits += 1;
      return isNow;
    };
    return { answer, isDone, when };
  });
  const world: EitherHost = await eitherHost[forge]({ ...opened, faults });
  onTestFinished(() => world.close());
  const name = { forge, server: world.url, repository: 'shop/till', number: 7 } as const;
  const waits: string[] = [];
  const clock: Clock = { now: () => 0, sleep: async () => undefined };
  const { signal } = new AbortController();
  const tellWait = (line: string) => void waits.push(line);
  const place = { env: world.env, repositoryRoot: null, clock, signal, tellWait };
  const result = roundResult(files, found, { fail_on: 'important' });
  const reviewed = { ...result, input: { ...result.input, head: headOf(1) } };
  const host = await openRoundHost(name, place, marks);
  await publishRound({ host, marks, result: reviewed, digest: 'd'.repeat(64), skipDrafts: false });
  const names: string[] = [];
  const announced: NextJob[] = [];
  const errors: unknown[] = [];
  let sent = 0;
  for (let number = 1; number === 1 || sent >= number - 1; number += 1) {
    const comment = readCommentName(world.say(words(number)));
    names.push(describeCommentName(comment));
    const carry = async (): Promise<void> => {
      const options = {
        host: await openCommentHost(name, place, marks),
        marks,
        name: comment,
        announce: (next: NextJob) => void announced.push(next),
      };
      await carryOut(fix === undefined ? options : { ...options, fix: fix(number) });
    };
    [current, before] = [number, world.requests().length];
    await carry().catch(async (error: unknown) => {
      errors.push(error);
      await carry();
    });
    sent = world.requests().length - before;
  }
  return { world, names, announced, waits, hits, errors };
}

const fixOf = (number: number, hunk: string): FixResult => ({
  schema: 'collab.fix/v1',
  run_id: 'r',
  head: headOf(1),
  findings: [{ id: `F${number}`, fate: 'fixed', reason: null }],
  patch: `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n${hunk}`,
});
const line = (number: number): string => lines[number - 1] ?? '';
const suggested = (number: number) => `log(mask(cash${number}));`;
const commentedOn = (body = '') => marks.read(answerMark, body)?.comment;
/** The comments that have an answer in the conversation. */
const answered = ({ comments }: EitherHost) => comments().flatMap((body) => commentedOn(body) ?? []);
/** Each thread: true if it is resolved, and the number of its comments. */
const shown = ({ threads }: EitherHost) =>
  threads().map(([isResolved, texts]) => [isResolved, texts.length] as const);
const untouched = lines.map(() => [false, 1] as const);

const commands: Readonly<Record<string, Command>> = {
  dismiss: {
    words: (number) => `/collab dismiss ${number} the bank masks it`,
    least: 8,
    check({ world, names }) {
      expect(shown(world)).toEqual([...names.map(() => [true, 2]), ...untouched.slice(names.length)]);
      const [summary = '', ...others] = world.comments();
      const dismissed = marks.read(roundMark, summary)?.dismissed.map(({ number }) => number);
      expect([others, dismissed]).toEqual([[], names.map((_, at) => at + 1)]);
    },
  },
  review: {
    words: () => '/collab review',
    least: 6,
    check({ world, names, announced }) {
      expect([shown(world), answered(world)]).toEqual([untouched, names]);
      expect(announced.length).toBeGreaterThanOrEqual(names.length);
      expect(announced.every(({ action, head }) => action === 'review' && head === headOf(1))).toBe(true);
    },
  },
  'the start of a fix': {
    words: (number) => `/collab fix ${number}`,
    least: 6,
    check({ world, names, announced }) {
      expect([shown(world), answered(world), world.branches()]).toEqual([untouched, [], []]);
      const ids = announced.map((next) => (next.action === 'fix' ? next.finding.id : null));
      expect([...new Set(ids)]).toEqual(names.map((_, at) => `F${at + 1}`));
    },
  },
  'a suggestion': {
    words: (number) => `/collab fix ${number}`,
    fix: (number) => fixOf(number, `@@ -${number} +${number} @@\n-${line(number)}\n+${suggested(number)}\n`),
    least: 7,
    check({ world, names }) {
      expect(shown(world)).toEqual([...untouched, ...names.map(() => [false, 1])]);
      const made = world
        .threads()
        .slice(lines.length)
        .map(([, [first = '']]) => first);
      expect(made.map(commentedOn)).toEqual(names);
      expect(made.map((body) => /```suggestion.*\n(.*)\n```/.exec(body)?.[1])).toEqual(
        names.map((_, at) => suggested(at + 1)),
      );
      expect([answered(world), world.branches()]).toEqual([[], []]);
    },
  },
  'a branch': {
    words: (number) => `/collab fix ${number}`,
    fix: (number) =>
      fixOf(number, `@@ -${number},2 +${number} @@\n-${line(number)}\n-${line(number + 1)}\n+done();\n`),
    least: 9,
    check({ world, names }) {
      expect([shown(world), answered(world)]).toEqual([untouched, names]);
      const ids = names.map((name) => name.replace(/^\D+/, ''));
      expect(world.branches()).toEqual(ids.map((id, at) => `collab/fix-${at + 1}-${id}`));
    },
  },
};

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: { message },
});
const secondary = 'You have exceeded a secondary rate limit';
const isGraphql = ({ path }: ForgeServerRequest): boolean => path.endsWith('/graphql');
const isDiff = ({ path, headers }: ForgeServerRequest): boolean =>
  path.endsWith('/raw_diffs') || headers.accept === 'application/vnd.github.diff';
const unfinished = 'Something went wrong while executing your query. This may be the result of a timeout.';

type Cases = readonly (readonly [string, Case])[];

const passing: Cases = [
  ['a limit with a time', { answer: refusal(429, 'Too many', { 'retry-after': '2' }) }],
  ['a failure with a time', { answer: refusal(503, 'Busy', { 'retry-after': '20' }) }],
  ['a failure', { answer: refusal(502, 'Bad gateway') }],
  ['a failure of what was done', { answer: refusal(500, ''), isDone: true }],
  ['a reset', { answer: 'reset' }],
  ['a reset of what was done', { answer: 'reset', isDone: true }],
];
const passingOnGithub: Cases = [
  ['a secondary limit', { answer: refusal(403, secondary) }],
  [
    'a GraphQL limit',
    {
      answer: { status: 200, body: { data: null, errors: [{ type: 'RATE_LIMITED', message: 'limit' }] } },
      of: isGraphql,
    },
  ],
  [
    'a GraphQL request that takes too long and has its effect',
    {
      answer: { status: 200, body: { data: null, errors: [{ message: unfinished }] } },
      isDone: true,
      of: isGraphql,
    },
  ],
];
const lasting: Cases = [
  ['a limit that ends in an hour', { answer: refusal(429, 'Too many', { 'retry-after': '3600' }) }],
  [
    'a failure for an hour of what was done',
    { answer: refusal(503, '', { 'retry-after': '3600' }), isDone: true },
  ],
  ['a refusal', { answer: refusal(422, 'Invalid') }],
];
/** The right to resolve is one that a token may lack. */
const ofAllButDismiss: Cases = [['a token that ends', { answer: refusal(401, 'Bad credentials') }]];
const forges = ['github', 'gitlab'] as const;

const kinds = Object.entries(commands);
const casesOf = (cases: Cases, on: readonly ForgeKind[] = forges, of = kinds) =>
  on.flatMap((forge) =>
    of.flatMap(([what, command]) => cases.map(([fault, one]) => [forge, what, fault, command, one] as const)),
  );

test.each([...casesOf(passing), ...casesOf(passingOnGithub, ['github'])])(
  '%s, %s: %s at any request is waited for, and leaves one answer',
  { timeout: 120_000 },
  async (forge, _what, _fault, command, one) => {
    const { waits, hits, errors, ...done } = await commandAll(forge, command, one);
    expect([errors, waits.length]).toEqual([[], hits]);
    expectEachRequestFailed(command, done);
    command.check(done);
  },
);

test.each([
  ...casesOf(lasting),
  ...casesOf(
    ofAllButDismiss,
    forges,
    kinds.filter(([what]) => what !== 'dismiss'),
  ),
])(
  '%s, %s: %s at any request is an error; the next process leaves one answer',
  { timeout: 120_000 },
  async (forge, _what, _fault, command, one) => {
    const { waits, hits, errors, ...done } = await commandAll(forge, command, one);
    expect([waits, errors.length]).toEqual([[], hits]);
    expect(errors.filter((error) => !(error instanceof ForgeError))).toEqual([]);
    expectEachRequestFailed(command, done);
    command.check(done);
  },
);

const page: Case = {
  answer: { status: 200, body: '<html>' },
  isDone: true,
  of: (request) => !isDiff(request),
};

test.each(casesOf([['a page instead of an answer', page]]))(
  '%s, %s: %s at any request is an error or changes nothing; the next process leaves one answer',
  { timeout: 120_000 },
  async (forge, _what, _fault, command, one) => {
    const { waits, errors, ...done } = await commandAll(forge, command, one);
    expect(waits).toEqual([]);
    expect(errors.length).toBeGreaterThan(3);
    expect(errors.filter((error) => !(error instanceof ForgeError && error.code === 'protocol'))).toEqual([]);
    command.check(done);
  },
);

function expectEachRequestFailed({ least }: Command, { names }: Done): void {
  expect([names.length >= least, names.length < mostRequests]).toEqual([true, true]);
}
