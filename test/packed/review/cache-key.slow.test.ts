/** The secret that signs the cache, for a user: a damaged file, a word that is too short. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { example, test, type Place } from '../place.ts';
import { callsOf } from '../rehearsal-calls.ts';

const clean =
  '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- `total` is clear\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n';

async function review(place: Place, env: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) {
  place.write(
    'rehearsal/clean.yaml',
    stringify({ call_log: 'calls.log', turns: [{ answer: clean, repeat: 'forever' }] }),
  );
  const args = ['review', example('harmless.diff'), '--advisor', 'rehearsal:rehearsal/clean.yaml', ...flags];
  const { code, stderr } = await place.collab(args, { env });
  return { code, stderr, calls: callsOf(place).length };
}

describe.concurrent('the secret of the cache', () => {
  test.for(['', 'ab', 'ab'.repeat(31), 'no hex at all'])(
    'a damaged file, %j, is replaced, and the cache works again',
    async (text, { place, expect }) => {
      const file = join(place.environment['HOME'] ?? '', '.local/state/collab/cache.key');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      const first = await review(place);
      expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const again = await review(place);
      expect([first.code, again.code, again.calls - first.calls]).toEqual([0, 0, 0]);
      expect(first.calls).toBeGreaterThan(0);
    },
  );

  test('a word of less than 16 characters is refused before anything is asked, unless the cache is off', async ({
    place,
    expect,
  }) => {
    const short = { COLLAB_CACHE_KEY: 'fifteen letters' };
    expect(await review(place, short)).toEqual({
      code: 2,
      calls: 0,
      stderr: expect.stringMatching(
        /^collab: COLLAB_CACHE_KEY has 15 characters, and needs at least 16\n {2}Set it to a long random word/,
      ),
    });
    expect(place.runs()).toEqual([]);
    expect(await review(place, short, '--no-cache')).toMatchObject({ code: 0 });
    expect(await review(place, { COLLAB_CACHE_KEY: 'sixteen letters!' })).toMatchObject({ code: 0 });
  });
});
