import { expect, test } from 'vitest';
import { sessionIn, atTerminal, type SessionHow } from '../command.test-helper.ts';
import type { Action } from '../program.ts';
import type { Session } from '../session.ts';
import { runInner, type InnerOptions } from './run-inner-command.ts';

const printing: Action = async ({ out, err }) => {
  out('\u001b[1mone\u001b[22m\n');
  out('two\n');
  err('\u001b[2ma remark\u001b[22m\n');
  return 3;
};

async function run(action: Action, how: Partial<InnerOptions> = {}, more: SessionHow = {}) {
  const { session, printed } = sessionIn({ root: '/p', env: {} }, { screen: atTerminal, ...more });
  const ran = await runInner(action, {
    session,
    perform: (inner, within) => inner(within),
    signal: new AbortController().signal,
    shown: true,
    ...how,
  });
  return { ran, printed: printed() };
}

/** Returns the session that an action gets. */
async function sessionOf(how: Partial<InnerOptions>, more: SessionHow = {}): Promise<Session> {
  const seen: Session[] = [];
  await run(async (session) => seen.push(session), how, more);
  const [session] = seen;
  if (session === undefined) throw new Error('nothing ran');
  return session;
}

test('output that is shown arrives as it is, and is captured without colors', async () => {
  expect(await run(printing)).toEqual({
    ran: { exitCode: 3, printed: 'one\ntwo\n', remarks: '' },
    printed: { out: '\u001b[1mone\u001b[22m\ntwo\n', err: '\u001b[2ma remark\u001b[22m\n' },
  });
});

test('output may be shown in another form than it is captured', async () => {
  expect(await run(printing, { render: (text) => `<${text.trim()}>` })).toMatchObject({
    ran: { printed: 'one\ntwo\n' },
    printed: { out: '<\u001b[1mone\u001b[22m>\n<two>\n' },
  });
});

test('output that is not shown is captured, with the remarks', async () => {
  expect(await run(printing, { shown: false })).toEqual({
    ran: { exitCode: 3, printed: 'one\ntwo\n', remarks: 'a remark\n' },
    printed: { out: '', err: '' },
  });
});

test('a command that is shown has the terminal; one that is not shown has a pipe', async () => {
  expect((await sessionOf({})).screen).toMatchObject(atTerminal);
  expect((await sessionOf({ shown: false })).screen).toEqual({
    columns: 80,
    color: { out: false, err: false },
    interactive: { out: false, err: false },
    movesCursor: true,
  });
});

test('a command that is stopped ends as if by Ctrl-C, unless a signal ended the program', async () => {
  const stop = new AbortController();
  const inner = await sessionOf({ signal: stop.signal });
  expect(inner.endedBy()).toBe(null);
  stop.abort();
  expect(inner.endedBy()).toBe('SIGINT');
  expect(inner.signal).toBe(stop.signal);
  const ended = await sessionOf({ signal: stop.signal }, { endedBy: () => 'SIGTERM' });
  expect(ended.endedBy()).toBe('SIGTERM');
});
