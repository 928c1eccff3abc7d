import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { stateBase } from '../../system/state-base.ts';
import { cacheSecretName, openCacheSecret } from './cache-secret.ts';

function world() {
  const env = { HOME: scratchFolder(), XDG_STATE_HOME: scratchFolder() };
  const open = (more: Record<string, string> = {}) => openCacheSecret({ env: { ...env, ...more } });
  return { open, file: join(stateBase({ env }) ?? '', cacheSecretName) };
}

test('the first use makes a secret of the user, which later ones read', () => {
  const { open, file } = world();
  const secret = open();
  expect(secret).toHaveLength(32);
  expect(open()).toEqual(secret);
  expect(readFileSync(file, 'utf8')).toBe(Buffer.from(secret ?? []).toString('hex'));
  expect(world().open()).not.toEqual(secret);
});

test.each(['', 'abcd', 'ab'.repeat(33)])('a damaged file (%j) is replaced by a whole secret', (text) => {
  const { open, file } = world();
  open();
  writeFileSync(file, text);
  const secret = open();
  expect(secret).toHaveLength(32);
  expect(open()).toEqual(secret);
});

test('a word of the environment decides instead, and is not written', () => {
  const { open, file } = world();
  const [one, other] = [
    open({ COLLAB_CACHE_KEY: 'a'.repeat(16) }),
    open({ COLLAB_CACHE_KEY: 'b'.repeat(16) }),
  ];
  expect(one).toHaveLength(32);
  expect(one).not.toEqual(other);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});
