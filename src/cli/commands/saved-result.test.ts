/** The commands on a result in a file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';
import { changedRepository, reviewed } from '../reviewed.test-helper.ts';

/** Carries out a command in a folder with this result. */
function withResult(result: unknown, args: readonly string[]) {
  const root = scratchFolder();
  writeFileSync(join(root, 'result.json'), typeof result === 'string' ? result : JSON.stringify(result));
  return collab(
    { root, env: { HOME: root } },
    args.map((word) => word.replace('FILE', join(root, 'result.json'))),
  );
}

test.each([
  [[], 1, 'refused: 2 of 2 findings at or above critical'],
  [['--fail-on', 'never'], 0, 'passed: '],
  [['--fail-on', 'minor'], 1, 'refused: 2 of 2 findings at or above minor'],
  [['--fail-on', 'never', '--require', 'model'], 3, 'refused: '],
])('gate %j ends with %d', async (flags, code, message) => {
  const repository = changedRepository();
  await reviewed(repository, '--report', 'json=../result.json');
  const judged = await collab(repository, ['gate', join(repository.root, '../result.json'), ...flags]);
  expect(judged).toEqual({ code, out: expect.stringMatching(new RegExp(`^${message}.*\n$`)), err: '' });
});

test('gate refuses a file that is no result', async () => {
  const { code, out, err } = await withResult('{}', ['gate', 'FILE']);
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^collab: .*result\.json/)]);
});

test('report prints a saved result, and refuses another file', async () => {
  const { code, out } = await withResult(report(), ['report', 'FILE', '--format', 'markdown']);
  expect([code, out]).toEqual([0, expect.stringContaining('Total is rounded before tax')]);
  const { out: terminal } = await withResult(report(), ['report', 'FILE']);
  expect(terminal).toContain('src/checkout/total.ts:41: critical: Total is rounded before tax');
  expect((await withResult('no JSON', ['report', 'FILE'])).code).toBe(2);
});

test('publish and comment refuse words that name no pull request', async () => {
  for (const args of [
    ['publish', 'FILE', 'nothing'],
    ['comment', 'nothing', 'issuecomment-1'],
  ]) {
    const { code, out, err } = await withResult(report(), args);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(/^collab: .*nothing/)]);
  }
});
