/** A conversation at a real terminal, with a bare model as the lead. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deferred } from '../../src/runs/deferred.ts';
import { test } from '../packed/place.ts';
import { chatWorld, writes } from './chat-world.ts';
import { generous } from './review-world.ts';

test('streams an answer, stops it at Ctrl-C and goes on', async ({ place, expect }) => {
  const gate = new Deferred<void>();
  const { terminal, upstream } = await chatWorld(place, [
    { text: `First line.\n${'word '.repeat(60)}\n`, midway: gate.promise },
    { text: 'Second answer.' },
  ]);
  await terminal.sees('/help lists the commands');
  await terminal.types('one', 'Enter');
  await terminal.sees('First line.');
  expect(upstream.openTurns()).toBe(1);
  await terminal.types('C-c');
  await terminal.sees('stopped');
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
  gate.resolve(undefined);
  await terminal.types('two', 'Enter');
  await terminal.sees('Second answer.');
  await terminal.types('/history', 'Enter');
  await terminal.sees('#2 lead (stopped): First line.');
  await terminal.types('C-d');
  await terminal.sees('left with 0');
});

test('asks before the lead writes, runs commands, switches branches, and goes on another day', async ({
  place,
  expect,
}) => {
  const { terminal, start, upstream } = await chatWorld(place, [
    { tools: [writes('yes.txt')] },
    { text: 'Written.' },
    { tools: [writes('no.txt')] },
    { text: 'Not written.' },
    { text: 'As you wish.' },
  ]);
  await terminal.types('write it', 'Enter');
  await terminal.sees('file_path: yes.txt');
  await terminal.sees('[edit] Editing yes.txt');
  await terminal.sees('Allow Write?');
  await terminal.types('Enter');
  await terminal.sees('Written.');
  expect(readFileSync(join(place.folder, 'yes.txt'), 'utf8')).toBe('new\n');

  await terminal.types('/resend write another', 'Enter');
  await terminal.sees('file_path: no.txt');
  await terminal.types('Down', 'Down', 'Enter');
  await terminal.sees('Why not?');
  await terminal.types('too early', 'Enter');
  await terminal.sees('Not written.');
  expect(existsSync(join(place.folder, 'no.txt'))).toBe(false);
  expect(upstream.requests[3]?.lastInput).toContain('Write was not allowed to run: too early.');

  // Tab completes where it comes by itself, not within what is pasted.
  await terminal.types('/rea');
  await terminal.sees('> /rea');
  await terminal.types('Tab');
  await terminal.sees('> /read');
  await terminal.types('ye');
  await terminal.sees('> /read ye');
  await terminal.types('Tab');
  await terminal.sees('> /read yes.txt');
  await terminal.types('Enter');
  await terminal.sees('1\tnew');
  await terminal.types('/branch', 'Enter');
  await terminal.sees('* 2');
  await terminal.types('/branch 1', 'Enter');
  await terminal.sees('* 1');
  await terminal.types('C-c', 'C-c');
  await terminal.sees('left with 0');

  const later = await start('--resume');
  await later.types('/history', 'Enter');
  await later.sees('#1 you: write it');
  await later.sees('#2 lead: Written.');
  await later.types('Up', 'Up', 'C-u');
  await later.pastes('thank you,\n\tand good bye');
  await later.sees('thank you,⏎⇥and good bye');
  await later.types('Enter');
  await later.sees('As you wish.');
  expect(upstream.requests[4]?.lastInput).toContain(String.raw`thank you,\n\tand good bye`);
});
