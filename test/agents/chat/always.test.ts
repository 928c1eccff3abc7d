/** Approvals and Ctrl-C with a rehearsed lead, at a real terminal and with nothing else installed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../../packed/place.ts';
import { startTerminal } from './terminal.ts';

test('X004-4.2 what is allowed always is not asked again in this conversation, and is in the next one', async ({
  place,
  expect,
}) => {
  const start = (...args: readonly string[]) => startTerminal(place, ['chat', '--ascii', ...args]);
  const terminal = await start('--lead', 'rehearsal');
  await terminal.types('write it', 'Enter');
  await terminal.sees('Allow Write?');
  await terminal.types('Down', 'Enter');
  await terminal.sees('That was the call.');
  expect(readFileSync(join(place.folder, 'note.txt'), 'utf8')).toBe(
    'Written by a rehearsal of collab chat.\n',
  );
  await terminal.types('write it again', 'Enter');
  await terminal.sees('-> File written');
  await terminal.types('/history', 'Enter');
  await terminal.sees('#4 lead: I will put a note');
  await terminal.types('slow', 'Enter');
  await terminal.sees('> slow');
  await terminal.types('C-c');
  await terminal.sees('stopped');
  await terminal.types('C-d');
  await terminal.sees('left with 0');

  const later = await start('--resume');
  await later.types('write it', 'Enter');
  await later.sees('Allow Write?');
});
