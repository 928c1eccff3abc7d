import {
  appendFileSync,
  copyFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../../system/clock.ts';
import {
  appendEntry,
  listSessions,
  newSessionId,
  readStoredSession,
  type SessionEntry,
} from './session-store.ts';

const nowMs = Date.UTC(2026, 10, 21, 9, 30);
const at = new Date(nowMs).toISOString();
const prompt = (text: string): SessionEntry => ({ kind: 'prompt', at, text });

function createStore() {
  const temporaryFolder = scratchFolder();
  const home = join(temporaryFolder, 'home');
  mkdirSync(home);
  const options = { env: { HOME: home }, temporaryFolder, clock: { ...systemClock, now: () => nowMs } };
  const folder = join(home, '.local/state/collab/sessions');
  return {
    options,
    folder,
    file: (id: string) => join(folder, `${id}.jsonl`),
    append: (id: string, entry: SessionEntry, cwd = '/p') => appendEntry(options, { id, cwd }, entry),
    /** The last change of a session, in seconds. */
    touch: (id: string, second: number) => utimesSync(join(folder, `${id}.jsonl`), second, second),
    idsOf: (asked: Parameters<typeof listSessions>[1] = {}) =>
      listSessions(options, asked).sessions.map(({ id }) => id),
  };
}

test('the first entry creates the file, and each further one is a line of it', () => {
  const { options, file, append, touch } = createStore();
  const entries: readonly SessionEntry[] = [
    { kind: 'said', text: 'refused' },
    prompt('/review\nall of it'),
    { kind: 'run', run: 'r1' },
    prompt('second'),
  ];
  for (const entry of entries) append('s1', entry, '/project');
  expect(readFileSync(file('s1'), 'utf8')).toBe(
    [{ kind: 'session', v: 1, cwd: '/project', at }, ...entries]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  touch('s1', 7);
  expect(readStoredSession(options, 's1')).toEqual({
    id: 's1',
    cwd: '/project',
    entries,
    title: '/review',
    changedMs: 7000,
  });
});

test('a session without a prompt has no title', () => {
  const { options, append } = createStore();
  append('s1', { kind: 'run', run: 'r1' });
  expect(readStoredSession(options, 's1')?.title).toBe(null);
});

test('a line that was cut off stays alone: it hides no entry, and neither does one that is no entry', () => {
  const { options, file, append } = createStore();
  append('s1', prompt('one'));
  appendFileSync(file('s1'), '{"kind":"other"}\n{"kind":"prompt","at":"2026-');
  append('s1', prompt('two'));
  append('s1', prompt('three'));
  expect(readFileSync(file('s1'), 'utf8').split('\n').slice(3)).toEqual([
    '{"kind":"prompt","at":"2026-',
    JSON.stringify(prompt('two')),
    JSON.stringify(prompt('three')),
    '',
  ]);
  expect(readStoredSession(options, 's1')?.entries).toEqual(['one', 'two', 'three'].map(prompt));
});

test.each([
  ['begins with another entry', `${JSON.stringify(prompt('x'))}\n`],
  ['has another version', `{"kind":"session","v":2,"cwd":"/p","at":"${at}"}\n`],
  ['is empty', ''],
])('a file that %s is no session, and is not listed', (_what, text) => {
  const { options, file, append, idsOf } = createStore();
  append('s1', prompt('one'));
  writeFileSync(file('s2'), text);
  expect(readStoredSession(options, 's2')).toBe(null);
  expect(idsOf()).toEqual(['s1']);
});

test.each(['', '../s1', '-a', '.', 'a.b', 'x'.repeat(101), 'none'])('%j names no session', (id) => {
  const { options, append, file } = createStore();
  append('s1', prompt('one'));
  if (id !== 'none') copyFileSync(file('s1'), file(id));
  expect(readStoredSession(options, id)).toBe(null);
});

test('an id has up to a hundred letters, digits and dashes', () => {
  const { options, append } = createStore();
  const id = `2-${'x'.repeat(98)}`;
  append(id, prompt('one'));
  expect(readStoredSession(options, id)?.id).toBe(id);
});

test('sessions are listed the last changed first, then by id, and of one folder if it is named', () => {
  const { append, touch, idsOf, folder } = createStore();
  for (const [id, cwd, second] of [
    ['a', '/p', 2],
    ['b', '/q', 3],
    ['c', '/p', 2],
    ['d', '/p', 1],
  ] as const) {
    append(id, prompt(id), cwd);
    touch(id, second);
  }
  writeFileSync(join(folder, 'e.txt'), readFileSync(join(folder, 'a.jsonl')));
  expect(idsOf()).toEqual(['b', 'c', 'a', 'd']);
  expect(idsOf({ cwd: '/p' })).toEqual(['c', 'a', 'd']);
  expect(idsOf({ cwd: '/none' })).toEqual([]);
  expect(idsOf({ after: '2000.c' })).toEqual(['a', 'd']);
  expect(idsOf({ after: '2000.bb' })).toEqual(['a', 'd']);
  expect(idsOf({ after: '1000.d' })).toEqual([]);
});

test('a page has fifty sessions; the cursor of the last one names the next page', () => {
  const { options, append, touch, idsOf } = createStore();
  const ids = Array.from({ length: 51 }, (_, index) => `s${199 - index}`);
  for (const id of ids) {
    append(id, prompt(id));
    touch(id, 5);
  }
  const { sessions, next } = listSessions(options, {});
  expect(sessions.map(({ id }) => id)).toEqual(ids.slice(0, 50));
  expect(next).toBe('5000.s150');
  expect(listSessions(options, { after: '5000.s150' })).toMatchObject({
    sessions: [{ id: 's149' }],
    next: null,
  });
  expect(idsOf({ after: '5000.s151', cwd: '/p' })).toEqual(['s150', 's149']);
  // A page that is just full has no next one.
  expect(listSessions(options, { after: '5000.s199' })).toMatchObject({ next: null });
});

test.each(['x', '12', '12.', '.a', '12.a.b', 'a12.a', '1.2.3'])('%j is no cursor', (after) => {
  const { options } = createStore();
  expect(() => listSessions(options, { after })).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'the cursor is not from a list of sessions',
      hint: 'Send the nextCursor of the page before, or none.',
    }),
  );
});

test('without a folder that is private there is no place for a session', () => {
  const options = { env: {}, temporaryFolder: '/dev/null', clock: systemClock };
  expect(() => appendEntry(options, { id: 's', cwd: '/p' }, prompt('x'))).toThrow(
    expect.objectContaining({
      code: 'state_folder',
      message: 'No private folder outside every git repository for the session',
      hint: 'Set XDG_STATE_HOME to a folder of yours outside every repository.',
    }),
  );
  expect(listSessions(options, {})).toEqual({ sessions: [], next: null });
});

test('a folder that others can write, or a file in its place, has no sessions', () => {
  const { options, append, idsOf, folder } = createStore();
  append('s1', prompt('one'));
  chmodSync(folder, 0o777);
  expect(idsOf()).toEqual([]);
  expect(readStoredSession(options, 's1')).toBe(null);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect(idsOf()).toEqual([]);
});

test('the id of a session begins with its time', () => {
  expect(newSessionId({ ...systemClock, now: () => nowMs })).toMatch(/^20261121-093000-[a-z\d]{4}$/);
});
