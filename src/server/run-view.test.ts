import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { rehearse } from '../runs/rehearsed-review.test-helper.ts';
import { summariseRun } from './run-view.ts';

test('a run that a server has begun and that has no record yet is running; one that nobody drives is interrupted', async () => {
  const { runFolder: folder } = await rehearse({ turns: [] });
  const place = { runId: basename(folder), conversationId: 'first', folder };
  const known = { kind: 'review', title: 'the working tree', state: 'running' } as const;
  expect(await summariseRun({ ...place, known })).toMatchObject({ state: 'running', started_at: null });
  expect(await summariseRun({ ...place, known: null })).toMatchObject({ state: 'interrupted' });
  const ended = { ...known, state: 'ended' } as const;
  expect(await summariseRun({ ...place, known: ended })).toMatchObject({ state: 'interrupted' });
});
