import { expect, test } from 'vitest';
import { openCommentHost } from '../open-forge.ts';
import { carryOut } from './carry-out.ts';
import { readCommentName } from './comment-name.ts';
import {
  reviewed,
  hostOf,
  marks,
  command,
  answers,
  fixOf,
  oneLine,
  twoLines,
} from './fix-finding.test-helper.ts';

/** Counts the calls, and throws at one, before or after it has its effect. */
function cutAt(at: number, isDone: boolean) {
  let count = 0;
  const cut = async (act: () => unknown): Promise<unknown> => {
    const isNow = ++count === at;
    if (isNow && !isDone) throw new Error('cut');
    const done = await act();
    if (isNow) throw new Error('cut');
    return done;
  };
  const cutting = <Host extends object>(host: Host): Host =>
    new Proxy(host, {
      get(target, key): unknown {
        const value: unknown = Reflect.get(target, key);
        if (key === 'branches' && typeof value === 'object' && value !== null) return cutting(value);
        if (typeof value !== 'function' || key === 'suggestionOf') return value;
        return (...args: readonly unknown[]) => cut(() => Reflect.apply(value, target, args));
      },
    });
  return { cutting, isCut: () => count >= at };
}

test.each([
  ['a suggestion', oneLine, [0, 0, 2]],
  ['a branch', twoLines, [1, 1, 1]],
])(
  '%s that is cut at any request is published by the next process, once',
  { timeout: 120_000 },
  async (_, patch, expected) => {
    for (let at = 1; ; at += 1) {
      for (const isDone of [true, false]) {
        const pull = await reviewed();
        const id = pull.say('/collab fix 1', 'anna');
        const { cutting, isCut } = cutAt(at, isDone);
        const host = cutting(await openCommentHost(...hostOf(pull)));
        const options = { marks, name: readCommentName(String(id)), announce: () => undefined };
        await carryOut({ ...options, host, fix: fixOf(patch) }).catch(() => null);
        for (let again = 0; again < 2; again += 1) await command(pull, id, fixOf(patch));
        expect([at, pull.branches().length, answers(pull).length, pull.threads().length]).toEqual([
          at,
          ...expected,
        ]);
        if (!isCut()) return;
      }
    }
  },
);
