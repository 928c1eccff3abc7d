import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { credentialsIn } from '../guarded.test-helper.ts';
import { watchTokens } from './valid-tokens.ts';

const forEver = { tenant: 'acme', label: null, expiresInMs: null };

test('runs and streams of a token end when it is revoked elsewhere, expired or damaged, and never before', async () => {
  const { tokens, valid, clock, ended, watch, faults } = world();
  const [kept, revoked, damaged] = [forEver, forEver, forEver].map(
    (wanted) => tokens.create(wanted).credential.id,
  );
  const expiring = tokens.create({ ...forEver, expiresInMs: 60_000 }).credential.id;
  for (const id of [kept, revoked, damaged, expiring]) watch(id ?? '');
  tokens.revoke(revoked ?? '');
  await vi.waitFor(() => expect(ended).toEqual([revoked]));
  writeFileSync(join(tokens.folder, `${damaged}.json`), 'not a credential');
  await vi.waitFor(() => expect(ended).toEqual([revoked, damaged]));
  await clock.advance(61_000);
  await vi.waitFor(() => expect(ended).toEqual([revoked, damaged, expiring]));
  expect([kept, revoked, damaged, expiring].map((id) => valid.isValid(id ?? ''))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(faults.length).toBeGreaterThan(0);
});

test('work that started just after its token was revoked ends too; unwatched work does not', async () => {
  const { tokens, ended, watch } = world();
  const [one, other] = [forEver, forEver].map((wanted) => tokens.create(wanted).credential.id);
  watch(other ?? '')();
  for (const { id } of tokens.list()) tokens.revoke(id);
  watch(one ?? '');
  await vi.waitFor(() => expect(ended).toEqual([one]));
});

test('without required tokens none can end', () => {
  const valid = watchTokens({ tokens: null, clock: createManualClock(), onFault });
  valid.watch('abcdefghij', onFault)();
  expect([valid.isValid(null), valid.isValid('abcdefghij')]).toEqual([true, true]);
});

function world() {
  const [root, clock] = [scratchFolder(), createManualClock()];
  const { tokens } = credentialsIn(root, clock);
  const [ended, faults]: [string[], unknown[]] = [[], []];
  const valid = watchTokens({ tokens, clock, onFault: (error) => faults.push(error) });
  onTestFinished(() => valid.close());
  const watch = (id: string) => valid.watch(id, () => ended.push(id));
  return { tokens, valid, clock, ended, watch, faults };
}

function onFault(error?: unknown): never {
  throw error;
}
