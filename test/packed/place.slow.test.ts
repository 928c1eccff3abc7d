import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesNaming } from '../setup/process-table.ts';
import { inPlace } from './place.ts';
import { until } from './started-command.ts';

/** Creates its folder again whenever it is removed, like an agent that still writes its session. */
const writer = `
const { mkdirSync, writeFileSync } = require('node:fs');
for (let n = 0; ; n += 1) {
  try {
    mkdirSync(process.argv[1], { recursive: true });
    writeFileSync(process.argv[1] + '/' + (n % 500), '');
  } catch {}
}
`;

test('a process that still writes into the place is ended before the place is removed', async () => {
  let folder = '';
  await inPlace(async (place) => {
    folder = place.folder;
    const written = join(folder, 'lead/claude');
    const command = ['-e', writer, written];
    spawn(process.execPath, command, { detached: true, stdio: 'ignore' }).unref();
    await until('its first files', () => existsSync(join(written, '100')));
  });
  expect(processesNaming(folder)).toEqual([]);
  expect(existsSync(join(folder, '..'))).toBe(false);
});
