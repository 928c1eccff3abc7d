/** The log of a server for a collector of logs. */
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { review } from '../contract/workflow/workflow-script.ts';
import { beginReview, serveWorld } from './served-folder.ts';

const turns = [{ answer: review('None'), repeat: 'forever' }];

test('a server with --log json says which run it drives, and how it left it', async () => {
  const world = await serveWorld({ turns, flags: { log: 'json' } });
  const run = await beginReview(world, { input: {}, lead: 'none', include: ['total.ts'] });
  await world.ask(`${run}/events`);
  const lines = world.faults.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line));
  const about = { run: basename(run), tenant: 'local', level: 'info' };
  expect(lines.filter(({ event }) => String(event).startsWith('run_'))).toMatchObject([
    { event: 'run_driven', ...about },
    { event: 'run_settled', ...about },
  ]);
});

test('without it a server says nothing of its runs', async () => {
  const world = await serveWorld({ turns });
  await world.ask(`${await beginReview(world, { input: {}, lead: 'none', include: ['total.ts'] })}/events`);
  expect(world.faults.join('')).not.toMatch(/run_|is driven/);
});
