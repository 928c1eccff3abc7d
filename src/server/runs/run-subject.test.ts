import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from '../../runs/engine/open-engine.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { rehearse } from '../../runs/rehearsed-review.test-helper.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { systemClock } from '../../system/clock.ts';
import { subjectOfInput, subjectOfStart } from './run-subject.ts';
import { summariseRun } from './run-view.ts';

const cases: readonly (readonly [StartRequest, ReturnType<typeof subjectOfStart>])[] = [
  [
    { kind: 'review', changes: [] },
    { kind: 'working_tree', name: null },
  ],
  [
    { kind: 'review', changes: [{ kind: 'staged' }] },
    { kind: 'staged', name: null },
  ],
  [
    { kind: 'review', changes: [{ kind: 'stdin', text: '' }] },
    { kind: 'diff', name: null },
  ],
  [
    { kind: 'review', changes: [{ kind: 'stdin', text: 'diff --git a/src/a.ts b/src/a.ts\n' }] },
    { kind: 'diff', name: 'src/a.ts' },
  ],
  [
    { kind: 'review', changes: [{ kind: 'commit', sha: 'v1' }] },
    { kind: 'commit', name: 'v1' },
  ],
  [{ kind: 'review', changes: [{ kind: 'range', range: 'a...b' }] }, null],
  [{ kind: 'run', task: 'staged changes' }, null],
  [{ kind: 'fix' }, { kind: 'fix', name: null }],
];

test.each(cases)('the subject of %j', (request, subject) => {
  expect(subjectOfStart(request)).toEqual(subject);
});

test.each([
  [{ kind: 'fix' }, { kind: 'fix', name: null }],
  [{ kind: 'workflow' }, null],
  [{ kind: 'consult' }, null],
  [reviewOf('stdin', 'pull request 7'), null],
  [reviewOf('working_tree'), { kind: 'working_tree', name: null }],
  [reviewOf('staged'), { kind: 'staged', name: null }],
  [reviewOf('commit', '', 'abcdef0123456789'), { kind: 'commit', name: 'abcdef0123' }],
  [reviewOf('commit'), null],
  [reviewOf('range', '', 'abcdef0123456789'), null],
])('the subject of the input %j', (input, subject) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields that are read
  expect(subjectOfInput(input as unknown as RunInput)).toEqual(subject);
});

function reviewOf(kind: string, description = '', head: string | null = null) {
  return { kind: 'review', change: { kind, description, head } };
}

test('a run of the command line has the subject of its input', async () => {
  const { runFolder: path } = await rehearse({ turns: [] });
  const place = { runId: basename(path), conversationId: 'c', path, known: null };
  const { subject, title } = await summariseRun(openEngine({ clock: systemClock }), place);
  expect([subject, title]).toEqual([{ kind: 'diff', name: null }, 'a diff from standard input']);
});
