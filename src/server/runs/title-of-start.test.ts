import { expect, test } from 'vitest';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { titleOfStart } from './title-of-start.ts';

const cases: readonly (readonly [StartRequest, string])[] = [
  [{ kind: 'review', changes: [] }, 'the working tree'],
  [{ kind: 'review', changes: [{ kind: 'working_tree' }] }, 'the working tree'],
  [{ kind: 'review', changes: [{ kind: 'staged' }] }, 'staged changes'],
  [{ kind: 'review', changes: [{ kind: 'argument', words: 'pr:7' }] }, 'pr:7'],
  [{ kind: 'review', changes: [{ kind: 'range', range: 'a...b' }] }, 'a...b'],
  [{ kind: 'review', changes: [{ kind: 'base', ref: 'main' }] }, 'main...HEAD'],
  [{ kind: 'review', changes: [{ kind: 'commit', sha: 'v1' }] }, 'commit v1'],
  [{ kind: 'review', changes: [{ kind: 'file', path: 'a.diff' }] }, 'a.diff'],
  [{ kind: 'review', changes: [{ kind: 'stdin', text: '' }] }, 'a diff'],
  [
    { kind: 'review', changes: [{ kind: 'stdin', text: 'diff --git a/src/a.ts b/src/a.ts\n' }] },
    'a diff: src/a.ts',
  ],
  [{ kind: 'run', task: 'Add a total.' }, 'Add a total.'],
  [{ kind: 'run' }, 'a task'],
  [{ kind: 'fix' }, 'Fix the Critical findings of the newest review'],
  [{ kind: 'fix', findings: ['F1', 'F2'], run: 'r1' }, 'Fix F1, F2 of r1'],
  [{ kind: 'consult', phase: 'design', brief: 'Two tables?' }, 'Two tables?'],
  [{ kind: 'consult', phase: 'design' }, 'design'],
];

test.each(cases)('the title of %j', (request, title) => {
  expect(titleOfStart(request)).toBe(title);
});
