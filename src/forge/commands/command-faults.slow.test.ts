/** A command in a comment while its host fails: at each of its requests, in each way that passes. */
import { expect, onTestFinished, test } from 'vitest';
import type { Fault, ForgeServerRequest } from '../../../test/forge/forge-server.ts';
import { startGithubPull } from '../../../test/forge/github-pull.ts';
import { startGitlabMergeRequest } from '../../../test/forge/gitlab-merge-request.ts';
import type { Clock } from '../../system/clock.ts';
import type { ForgeKind } from '../contract.ts';
import { openCommentHost, openRoundHost } from '../open-forge.ts';
import { createMarks, roundMark } from '../round/marks.ts';
import { publishRound } from '../round/publish-round.ts';
import { diffOf, findingOn, headOf, roundResult } from '../round/rounds.test-helper.ts';
import { carryOut } from './carry-out.ts';
import { readCommentName } from './comment-name.ts';

/** More than a command has requests: each has a finding of its own. */
const mostRequests = 14;
const lines = Array.from({ length: mostRequests }, (_, at) => `log(cash${at});`);
const files = { 'a.ts': lines };
const found = lines.map((quote, at) =>
  findingOn({ path: 'a.ts', line: at + 1, quote, title: `log ${at}`, severity: 'important' }),
);
const opened = { head: headOf(1), diff: diffOf(files), pageSize: 100 };
const marks = createMarks({ scope: 'shop/till 7', secret: null });
const commandOn = (number: number) => `/collab dismiss ${number} the bank masks it`;

const anna = 11;

/** A pull request as this test sees it. */
interface World {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly requests: () => readonly string[];
  /** Returns the name of the comment with the command. */
  readonly say: (number: number) => string;
  /** Each thread: true if it is resolved, and the number of its comments. */
  readonly threads: () => readonly (readonly [boolean, number])[];
  /** Our comments in the conversation. */
  readonly summaries: () => readonly string[];
}

const worlds: Readonly<Record<ForgeKind, (faults: readonly Fault[]) => Promise<World>>> = {
  async github(faults) {
    const pull = await startGithubPull({ ...opened, faults });
    onTestFinished(() => pull.close());
    return {
      ...pull,
      say: (number) => `issuecomment-${pull.say(commandOn(number), 'anna')}`,
      threads: () => pull.threads().map(({ isResolved, comments }) => [isResolved, comments.length]),
      summaries: () => pull.comments().flatMap(({ author, body }) => (author === 'collab-bot' ? [body] : [])),
    };
  },
  async gitlab(faults) {
    const world = await startGitlabMergeRequest({ ...opened, faults, levels: { [anna]: 30 } });
    onTestFinished(() => world.close());
    return {
      ...world,
      say: (number) => `note_${world.say(commandOn(number), anna)}`,
      threads: () =>
        world
          .discussions()
          .flatMap(({ place, isResolved, notes }) => (place === null ? [] : [[isResolved, notes.length]])),
      summaries: () =>
        world
          .discussions()
          .flatMap(({ place, notes: [first] }) =>
            place === null && first !== undefined && first.author !== anna ? [first.body] : [],
          ),
    };
  },
};

interface Case extends Pick<Fault, 'answer' | 'isDone'> {
  readonly of?: (request: ForgeServerRequest) => boolean;
}

/**
 * Publishes a round, and dismisses its findings by their numbers, with a fault at the first request of the first command, at the
 * second one of the second, and so on until a command has no such request. Returns the number of commands, and the lines about waits.
 */
async function dismissAll(forge: ForgeKind, { answer, isDone = false, of = () => true }: Case) {
  let [current, before, hits] = [0, 0, 0];
  const faults = lines.map((_, at): Fault => {
    const when = (request: ForgeServerRequest): boolean => {
      const isNow = current === at + 1 && world.requests().length - before === current && of(request);
      if (isNow) hits += 1;
      return isNow;
    };
    return { answer, isDone, when };
  });
  const world: World = await worlds[forge](faults);
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
  let sent = 0;
  for (let number = 1; number === 1 || sent >= number - 1; number += 1) {
    const comment = readCommentName(world.say(number));
    [current, before] = [number, world.requests().length];
    const commandHost = await openCommentHost(name, place, marks);
    await carryOut({ host: commandHost, marks, name: comment, announce: () => undefined });
    sent = world.requests().length - before;
  }
  return { world, waits, hits, commands: current };
}

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: { message },
});
const secondary = 'You have exceeded a secondary rate limit';
const isGraphql = ({ path }: ForgeServerRequest): boolean => path.endsWith('/graphql');
const unfinished = 'Something went wrong while executing your query. This may be the result of a timeout.';
const ofBoth: readonly (readonly [string, Case])[] = [
  ['a limit with a time', { answer: refusal(429, 'Too many', { 'retry-after': '2' }) }],
  ['a limit without a time', { answer: refusal(429, 'Too many') }],
  ['a failure', { answer: refusal(502, 'Bad gateway') }],
  ['a failure of what was done', { answer: refusal(500, ''), isDone: true }],
  ['a reset', { answer: 'reset' }],
  ['a reset of what was done', { answer: 'reset', isDone: true }],
];
const ofGithub: readonly (readonly [string, Case])[] = [
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
const cases: readonly (readonly [ForgeKind, string, Case])[] = [
  ...[...ofBoth, ...ofGithub].map(([what, fault]) => ['github', what, fault] as const),
  ...ofBoth.map(([what, fault]) => ['gitlab', what, fault] as const),
];

test.each(cases)(
  '%s: %s at any request of a command is waited for, and leaves one answer',
  { timeout: 120_000 },
  async (forge, _, fault) => {
    const { world, waits, hits, commands } = await dismissAll(forge, fault);
    expect([commands >= 8, commands < mostRequests, waits.length]).toEqual([true, true, hits]);
    const done = Array.from({ length: commands }, () => [true, 2]);
    const rest = Array.from({ length: mostRequests - commands }, () => [false, 1]);
    expect(world.threads()).toEqual([...done, ...rest]);
    const [summary = '', ...others] = world.summaries();
    const dismissed = marks.read(roundMark, summary)?.dismissed.map(({ number }) => number);
    expect([others, dismissed]).toEqual([[], done.map((__, at) => at + 1)]);
  },
);
