import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock as clock } from '../../system/clock.ts';
import type { Session } from '../session.ts';
import { checkProjectConfig } from './doctor-checks.ts';

test('a key in a configuration that cannot be read is masked, as in any other error', async () => {
  const key = `ghp_${'aB3d'.repeat(9)}`;
  const cwd = scratchFolder();
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the check reads of a session
  const session = {
    cwd,
    env: { HOME: cwd },
    clock,
    signal: new AbortController().signal,
  } as unknown as Session;
  const { check } = await checkProjectConfig(session, `${key}.yaml`);
  expect(check.state).toBe('fails');
  expect(check.text).not.toContain(key);
});
