import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { defaultSettings } from '../../config/settings-table.ts';
import { sessionIn } from '../command.test-helper.ts';
import { refuseWrongChoices } from './serve-choices.ts';

/** Checks these flags of a server whose configuration names agents that are not here. */
function check(flags: Parameters<typeof refuseWrongChoices>[2]) {
  const root = scratchFolder();
  const { session } = sessionIn({ root, env: { HOME: root, PATH: '/usr/bin:/bin' } });
  return refuseWrongChoices(session, { ...defaultSettings, advisor: 'codex', lead: 'claude_code' }, flags);
}

test.each([{}, { advisor: 'auto' }, { advisor: 'static_review', lead: 'none' }])(
  'the choices %j start a server, whatever its configuration names',
  async (flags) => {
    await expect(check(flags)).resolves.toBeUndefined();
  },
);

test('names of no provider are refused', async () => {
  expect(await refusalOf(check({ advisor: 'codx' }))).toMatchObject({
    code: 'usage',
    message: expect.stringContaining('codx'),
  });
  expect(await refusalOf(check({ lead: 'cloude_code' }))).toMatchObject({
    code: 'usage',
    message: expect.stringContaining('cloude_code'),
  });
});
