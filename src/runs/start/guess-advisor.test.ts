import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { guessAdvisor } from './guess-advisor.ts';
import type { ReviewStart, StartDefaults } from './start-request.ts';

interface Given {
  readonly flags?: Partial<ReviewStart>;
  readonly defaults?: StartDefaults;
  /** The user's own configuration, and that of the folder. */
  readonly own?: string;
  readonly here?: string;
}

async function guessed({ flags = {}, defaults, own, here }: Given = {}): Promise<string | null> {
  const [cwd, home] = [scratchFolder(), scratchFolder()];
  if (own !== undefined) {
    mkdirSync(join(home, '.config/collab'), { recursive: true });
    writeFileSync(join(home, '.config/collab/collab.config.yaml'), own);
  }
  if (here !== undefined) writeFileSync(join(cwd, 'collab.config.yaml'), here);
  const place = { home: join(cwd, '.collab'), cwd, env: { HOME: home }, clock, defaults };
  const guess = await guessAdvisor(
    { kind: 'review', changes: [], ...flags },
    { ...place, signal: new AbortController().signal },
  );
  return guess?.settings.advisor ?? null;
}

test('Codex is guessed if it is named, or if no advisor is', async () => {
  expect(await guessed()).toBe('auto');
  expect(await guessed({ flags: { advisor: 'codex:gpt-5.5' } })).toBe('codex:gpt-5.5');
  expect(await guessed({ defaults: { advisor: 'codex' } })).toBe('codex');
  expect(await guessed({ own: 'advisor: codex:mini\n' })).toBe('codex:mini');
});

test.each<[string, Given]>([
  ['another advisor', { flags: { advisor: 'static_review' } }],
  ['another advisor of the user', { own: 'advisor: openai:x\n' }],
  ['a configuration that is named', { flags: { config: 'collab.config.yaml' } }],
  ['a configuration of a commit', { flags: { config_from: 'main' } }],
  ['a wrong configuration of the user', { own: 'advisor: [' }],
])('nothing is guessed with %s', async (_what, given) => {
  expect(await guessed(given)).toBeNull();
});

test('the configuration of the folder has no part in it', async () => {
  expect(await guessed({ here: 'advisor: static_review\n' })).toBe('auto');
});
