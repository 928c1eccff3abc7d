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

test('X000-8.3 the journal has the error of a review that failed', async ({ place, expect }) => {
  const script = join(fixtures, 'rehearsal/died.yaml');
  const { code } = await place.collab([
    'review',
    example('harmless.diff'),
    '--advisor',
    `rehearsal:${script}`,
  ]);
  expect(code).toBe(4);
  const [last] = readFileSync(join(place.lastRun(), 'journal.jsonl'), 'utf8').trimEnd().split('\n').slice(-1);
  expect(JSON.parse(last ?? '')).toMatchObject({ type: 'run.ended', errors: ['the script says die'] });
});

/** The duration of a run is measured. */
function masked(screen: string): string {
  return screen.replace(/duration_ms=\d+/, 'duration_ms=#');
}
