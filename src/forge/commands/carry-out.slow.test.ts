import { expect, test } from 'vitest';
import { openCommentHost } from '../open-forge.ts';
import type { CommentHost } from './comment-host.ts';
import { readCommentName } from './comment-name.ts';
import { carryOut } from './carry-out.ts';
import {
  pullRequest,
  round,
  openingOf,
  onLog,
  command,
  summaryOf,
  beside,
  said,
} from './carry-out.test-helper.ts';

/** Throws at one call, before or after it has its effect. */
function cutAt(host: CommentHost, at: number, isDone: boolean) {
  let count = 0;
  const cut =
    (act: (...args: readonly unknown[]) => unknown) =>
    async (...args: readonly unknown[]) => {
      const isNow = ++count === at;
      if (isNow && !isDone) throw new Error('cut');
      const done = await act(...args);
      if (isNow) throw new Error('cut');
      return done;
    };
  const get = (target: CommentHost, key: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'function' ? cut((...args) => Reflect.apply(value, target, args)) : value;
  };
  return { host: new Proxy(host, { get }), isCut: () => count >= at };
}

test.each(['/collab dismiss 1 why', '/collab dismiss 2 why', '/collab help', '/collab review'])(
  '%s that is cut at any request is finished by the next process, and nothing is written twice',
  { timeout: 120_000 },
  async (words) => {
    for (let at = 1; ; at += 1) {
      for (const isDone of [true, false]) {
        const pull = await pullRequest({ pageSize: 50 });
        await round(pull, 1, [onLog, beside]);
        const id = pull.say(words, 'anna');
        const { name, place, marks } = openingOf(pull, 'github');
        const { host, isCut } = cutAt(await openCommentHost(name, place, marks), at, isDone);
        const options = {
          marks,
          name: readCommentName(String(id)),
          announce: () => undefined,
        };
        await carryOut({ host, ...options }).catch(() => null);
        for (let again = 0; again < 2; again += 1) await command(pull, String(id));
        const [thread] = pull.threads();
        const isFirst = words.includes('dismiss 1');
        expect([at, thread?.isResolved, thread?.comments.length, said(pull).length]).toEqual(
          isFirst ? [at, true, 2, 0] : [at, false, 1, 1],
        );
        await round(pull, 2, [onLog, beside]);
        expect(summaryOf(pull)?.includes('dismissed by `anna`')).toBe(words.includes('dismiss'));
        if (!isCut()) return;
      }
    }
  },
);
