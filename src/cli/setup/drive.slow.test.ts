/** The commands of the setup that run agents: the demo, and provider check. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyExample } from '../../../test/fixtures/providers/copy-example.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';

test('the words after the demo fit the terminal', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root, PATH: process.env['PATH'] ?? '' } };
  writeFileSync(join(root, 'mine.yaml'), 'turns: [{ answer: Done., repeat: forever }]\n');
  const screen = { columns: 60, interactive: { out: true, err: false } };
  const { code, out } = await collab(place, ['demo', '--script', 'mine.yaml', '--plain'], { screen });
  const [, words = ''] = out.split('That was a rehearsal:');
  expect([3, 4]).toContain(code);
  expect(words).toContain('\nFor the real thing:\n');
  expect(words.split('\n').filter((line) => line.length > 60)).toEqual([]);
  const { out: status } = await collab(place, ['status', '--json']);
  expect(JSON.parse(status)).toMatchObject({
    kind: 'run',
    subject: expect.stringContaining('splits a bill'),
  });
});

test('a demo that a signal ends says nothing afterwards', async () => {
  const root = scratchFolder();
  const place = { root, env: { HOME: root, PATH: process.env['PATH'] ?? '' } };
  writeFileSync(
    join(root, 'mine.yaml'),
    'project: { task: Rest., files: { a.js: "" } }\nturns: [{ fault: never, repeat: forever }]\n',
  );
  const stop = new AbortController();
  const how = {
    signal: stop.signal,
    endedBy: () => (stop.signal.aborted ? ('SIGINT' as const) : null),
    err: () => stop.abort(new Error('SIGINT')),
  };
  const { code, out } = await collab(place, ['demo', '--script', 'mine.yaml'], how);
  expect(code).toBe(130);
  expect(out).not.toContain('That was a rehearsal');
});

test('provider check of a provider that meets the contract ends with 0', async () => {
  const root = scratchFolder();
  const folder = copyExample(root);
  const place = { root, env: { HOME: root, PATH: '/usr/bin:/bin' } };
  const { out } = await collab(place, ['provider', 'check', 'echo', '--json']);
  expect(JSON.parse(out)).toMatchObject({ name: 'echo', path: folder, faults: [] });
  for (const name of ['echo', 'anthropic']) {
    const { code, out: lines, err } = await collab(place, ['provider', 'check', name]);
    expect([code, lines.split('\n')[0], err]).toEqual([0, `${name} meets the contract`, '']);
  }
});
