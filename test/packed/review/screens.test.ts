/** The five example screens of specification 000 as the installed command prints them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { example, repository, test } from '../place.ts';

const fixtures = join(repository, 'test/fixtures');

describe.concurrent('R000-25 X000-10.4,5 standard error of a verbose review', () => {
  test.for([1, 2, 3, 4, 5])('is example screen %i, byte for byte', async (number, { place, expect }) => {
    const script = join(fixtures, `rehearsal/pattern-${number}.yaml`);
    const args = ['review', example('harmless.diff'), '--advisor', `rehearsal:${script}`, '--verbose'];
    const { code, stderr } = await place.collab(args);
    const screen = readFileSync(join(fixtures, `screens/pattern-${number}.txt`), 'utf8');
    expect({ code, stderr: masked(stderr) }).toEqual({ code: 0, stderr: masked(screen) });
  });
});

describe.concurrent('a review whose agent dies', () => {
  const args = (...more: readonly string[]) => [
    ...[
      'review',
      example('harmless.diff'),
      '--advisor',
      `rehearsal:${join(fixtures, 'rehearsal/died.yaml')}`,
    ],
    ...more,
  ];

  test('X000-8.2,3 says so on standard error, fails, and has the error in its journal', async ({
    place,
    expect,
  }) => {
    const { code, stderr } = await place.collab(args());
    expect(code).toBe(4);
    expect(stderr).toMatch(/died/);
    expect(readFileSync(join(place.lastRun(), 'journal.jsonl'), 'utf8')).toMatch(/"type":"error"/);
  });

  test('X000-8.4 shows the hidden error with --verbose on standard error alone', async ({
    place,
    expect,
  }) => {
    const { stdout, stderr } = await place.collab(args('--verbose'));
    expect(stderr).toMatch(/died/);
    expect(stdout).toBe('');
  });
});

/** How long a run took is measured. */
function masked(screen: string): string {
  return screen.replace(/duration_ms=\d+/, 'duration_ms=#');
}
