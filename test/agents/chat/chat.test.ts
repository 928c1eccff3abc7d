/** A conversation at a real terminal, with a bare model as the lead. */
import { test } from '../../packed/place.ts';
import { allowOneAndRefuseOne, stopAndGoOn } from './terminal.ts';

const anthropic = { flag: 'anthropic:claude-scripted', toolPrefix: '' };

test('streams an answer, stops it at Ctrl-C and continues', async ({ place, expect }) => {
  const { requests } = await stopAndGoOn(place, anthropic);
  expect(requests).toHaveLength(2);
});

test('asks before the lead writes, runs commands, switches branches, and continues on another day', async ({
  place,
  expect,
}) => {
  const { terminal, start, upstream } = await allowOneAndRefuseOne(place, anthropic);

  // Tab completes if it is typed, not within pasted text.
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
