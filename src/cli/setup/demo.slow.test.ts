import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collab } from '../command.test-helper.ts';

test('the demo ends with what to do next, and its run is an ordinary one', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root, PATH: process.env['PATH'] ?? '' } };
  const { code, out, err } = await collab(place, ['demo', '--no-pauses', '--ascii']);
  expect([code, out]).toEqual([0, expect.stringContaining('\n  collab doctor ')]);
  expect(out).toContain(
    '\nThat was a rehearsal: both agents read from a script, and nothing left this machine.\n',
  );
  expect(err).toMatch(
    /^requirements → design → implementation → review\n {2}led by Claude Code \(rehearsed lead\)\n/,
  );
  expect((await collab(place, ['check'])).out).toMatch(/ events, 0 violations\n$/);
});

test('a faulty script is a fault of the input, and starts no run', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root } };
  writeFileSync(join(root, 'mine.yaml'), 'turns: 3\n');
  const { code, out, err } = await collab(place, ['demo', '--script', 'mine.yaml']);
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^collab: .*mine\.yaml.*\n {2}\S.*\n$/)]);
  const missing = await collab(place, ['demo', '--script', 'nothing.yaml']);
  expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/^collab: .*nothing\.yaml/)]);
  expect((await collab(place, ['runs'])).out).toBe('no runs here\n');
});
