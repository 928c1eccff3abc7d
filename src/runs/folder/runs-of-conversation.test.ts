import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { runsOfConversation } from './runs-of-conversation.ts';
import { consultInput, reviewInput, savedRun } from './saved-runs.test-helper.ts';

test('a conversation has the run that began it and its consults, oldest first', () => {
  const home = scratchFolder();
  const first = savedRun(home, '20261121-093000-aaaa', reviewInput(), null);
  const consult = (id: string, conversation = first.runId) =>
    savedRun(home, id, consultInput({ conversation }), null);
  const second = consult('20261121-093001-aaaa');
  consult('20261121-093002-aaaa', 'other');
  savedRun(home, '20261121-093003-aaaa', reviewInput(), null);
  const third = consult('20261121-093004-aaaa');
  const damaged = join(home, 'runs/20261121-093005-aaaa');
  mkdirSync(damaged);
  writeFileSync(join(damaged, 'input.json'), '{}');
  const whole = { id: first.runId, runs: [first, second, third] };
  for (const run of [first, second, third]) expect(runsOfConversation(home, run)).toEqual(whole);
  expect(() => runsOfConversation(home, { runId: 'x', path: damaged })).toThrow('input.json');
});
