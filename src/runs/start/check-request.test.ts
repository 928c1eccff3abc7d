/** Words of a tenant that name a change: commits with a grant for the repository, and never a file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { Guest } from '../../access/speaker.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { settleChange } from './change-request.ts';
import { checkRequest } from './check-request.ts';

const grants = ['run', 'repo:shop'];
const speaker: Guest = { kind: 'guest', tenant: 'acme', grants, providers: [], isServerOpen: false };

function placeWithSecret() {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'secret.diff'), '--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+secret\n');
  const signal = new AbortController().signal;
  return { cwd, home: join(cwd, '.collab'), env: {}, clock, signal, repository: 'shop', speaker };
}

function reviewOf(words: string) {
  return { kind: 'review', changes: [{ kind: 'argument', words }] } as const;
}

test.each(['../x/secret.diff', 'a/../secret.diff', '/a/../secret.diff', './../secret.diff', 'a/..', '..'])(
  'a tenant may not name the file %s, also with a grant for the repository',
  (words) => {
    const place = placeWithSecret();
    expect(() => checkRequest(reviewOf(words), place)).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
  },
);

test.each(['HEAD~1..HEAD', 'main...topic', 'v1..', '..topic', 'feature/a..feature/b'])(
  'a tenant with a grant for the repository may name the commits %s, and no file is read',
  async (range) => {
    const place = placeWithSecret();
    const request = reviewOf(range);
    checkRequest(request, place);
    expect((await settleChange(request, place)).change).toEqual({ kind: 'range', range });
  },
);
