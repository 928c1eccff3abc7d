import { expect } from 'vitest';
import type { Fault, ForgeServerRequest } from '../../../test/forge/forge-server.ts';
import type { GithubPull } from '../../../test/forge/github-pull.ts';
import type { RoundOfSix } from '../round/six-rounds.test-helper.ts';
import { findingOn } from '../round/rounds.test-helper.ts';
import { pullWith, roundOnGithub, shownThreads, summaryOf } from './github-rounds.test-helper.ts';

const lines = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const finding = (line: number, title: string) =>
  findingOn({ path: 'a.ts', line, quote: lines[line - 1] ?? '', title });
export const first: RoundOfSix = {
  files: { 'a.ts': lines },
  found: [finding(2, 'eval'), finding(3, 'cash')],
};
/** One finding is gone, one is still there, one is new: a round with every kind of request. */
const second: RoundOfSix = {
  files: { 'a.ts': [lines[0] ?? '', ...lines.slice(2)] },
  found: [{ ...finding(3, 'cash'), start_line: 2, end_line: 2 }, { ...finding(1, 'till') }],
};
export const after = ['a.ts:2 eval (resolved)', 'a.ts:3 cash', 'a.ts:1 till'];
export const requestsOfARound = 11;
export const isGraphql = ({ path }: ForgeServerRequest): boolean => path.endsWith('/graphql');

export interface Case extends Pick<Fault, 'answer' | 'isDone'> {
  readonly of?: (request: ForgeServerRequest) => boolean;
}

/** Publishes the first round, and the second one with a fault at one of its requests. */
export async function withFaultAt(at: number, { answer, isDone = false, of = () => true }: Case) {
  let count = -Infinity;
  let failed: ForgeServerRequest | null = null;
  const when = (request: ForgeServerRequest): boolean => {
    count += 1;
    if (count !== at || !of(request)) return false;
    failed = request;
    return true;
  };
  const pull = await pullWith(first.files, { pageSize: 50, faults: [{ answer, isDone, when }] });
  await roundOnGithub(pull, 1, first);
  count = 0;
  const waits: string[] = [];
  const again = () => roundOnGithub(pull, 2, second, { tellWait: (line) => void waits.push(line) });
  return { pull, again, waits, failed: () => failed };
}

export function expectWhole(pull: GithubPull, at: number): void {
  expect([at, ...shownThreads(pull)]).toEqual([at, ...after]);
  expect(summaryOf(pull)).toContain('1 new, 1 still there, 1 fixed');
  expect(pull.checks()).toHaveLength(2);
  expect(pull.statuses()).toEqual([]);
}
