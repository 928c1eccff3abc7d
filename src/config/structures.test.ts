import { expect, test } from 'vitest';
import { z } from 'zod';
import { uncheckedPlaces } from '../../test/fixtures/unchecked-places.ts';
import { defaultBudgets } from './repair-budgets.ts';
import { budgets, limits, phaseLimits, providers, rulesOf, toolSettings } from './structures.ts';
import type { ReadContext, SettingType } from './setting-types.ts';
import { turnLimits } from './waits.ts';

const kept = { first_sign_ms: 1, first_byte_ms: 2, idle_ms: 3, total_ms: 4 };
const texts = { first_sign: '1s', first_byte: '2s', idle: '3s', total: '4s' };
const times = { first_sign_ms: 1000, first_byte_ms: 2000, idle_ms: 3000, total_ms: 4000 };

test('the usual limits are those of a turn', () => {
  expect(limits().default).toEqual({
    first_sign_ms: turnLimits.firstSignMs,
    first_byte_ms: turnLimits.firstByteMs,
    idle_ms: turnLimits.idleMs,
    total_ms: turnLimits.totalMs,
  });
});

test('each written and each kept limit is known and checked, for a run and for a phase', () => {
  expect(limits().schema(z).parse(texts)).toEqual(texts);
  expect(uncheckedPlaces(limits().schema(z), texts)).toEqual([]);
  expect(uncheckedPlaces(keptSchema(limits()), kept)).toEqual([]);
  const { first_byte_ms: _added, ...older } = kept;
  expect(keptSchema(limits()).safeParse(older).success).toBe(true);
  for (const name of ['first_sign_ms', 'idle_ms', 'total_ms'])
    expect(keptSchema(limits()).safeParse({ ...kept, [name]: undefined }).success).toBe(false);
  const byPhase = { requirements: texts, design: texts, implementation: texts, review: texts };
  expect(phaseLimits().schema(z).parse(byPhase)).toEqual(byPhase);
  expect(phaseLimits().schema(z).safeParse({ rewiev: texts }).success).toBe(false);
  expect(uncheckedPlaces(keptSchema(phaseLimits()), { design: kept })).toEqual([]);
});

test('a written limit replaces the one before; a phase takes the others from the run', () => {
  expect(read(limits(), texts, { before: kept })).toEqual(times);
  expect(read(limits(), { idle: '3s' }, { before: kept })).toEqual({ ...kept, idle_ms: 3000 });
  const before = { review: kept };
  const usual = { ...kept, total_ms: 9 };
  expect(
    read(phaseLimits(), { design: { idle: '3s' }, review: { idle: '3s' } }, { before, limits: usual }),
  ).toEqual({
    design: { ...usual, idle_ms: 3000 },
    review: { ...kept, idle_ms: 3000 },
  });
  expect(read(phaseLimits(), {}, { before, limits: usual })).toEqual(before);
});

test('each rung of the budgets is a number from 0 to 100, the attempts are at least one', () => {
  const schema = budgets().schema(z);
  expect(schema.parse(defaultBudgets)).toEqual(defaultBudgets);
  for (const name of Object.keys(defaultBudgets)) {
    const takes = (value: number) => schema.safeParse({ [name]: value }).success;
    expect([takes(-1), takes(0), takes(100), takes(101)]).toEqual([false, name !== 'attempts', true, false]);
  }
  expect(uncheckedPlaces(keptSchema(budgets()), defaultBudgets)).toEqual([]);
  expect(keptSchema(budgets()).safeParse({ ...defaultBudgets, attempts: 0 }).success).toBe(false);
  expect(read(budgets(), { waiting: 0, attempts: undefined }, { before: defaultBudgets })).toEqual({
    ...defaultBudgets,
    waiting: 0,
  });
});

test('the settings of a provider are texts; a path is resolved', () => {
  const written = { codex: { path: 'bin/codex', retries: 3 }, gemini: { fast: true } };
  expect(providers().schema(z).parse(written)).toEqual(written);
  expect(providers().schema(z).safeParse({ Codex: {} }).success).toBe(false);
  const before = { codex: { model: 'm' }, other: { a: 'b' } };
  expect(read(providers(), written, { before, pathOf })).toEqual({
    codex: { model: 'm', path: '/codex/path/bin/codex', retries: '3' },
    gemini: { fast: 'true' },
    other: { a: 'b' },
  });
});

test('a rule of the policy is a word or has one for each caller; the web is closed unless hosts are set', () => {
  const written = {
    policy: { Bash: 'deny', 'git.*': { agent: 'ask', user: 'allow' }, '*': 'allow' } as const,
    web_fetch: { hosts: ['*.example.org'], private_addresses: true },
  };
  expect(toolSettings().schema(z).parse(written)).toEqual(written);
  expect(
    toolSettings()
      .schema(z)
      .safeParse({ policy: { 'a b': 'deny' } }).success,
  ).toBe(false);
  expect(
    toolSettings()
      .schema(z)
      .safeParse({ policy: { Bash: { agent: 'never' } } }).success,
  ).toBe(false);
  expect(rulesOf({ Bash: 'deny', Read: { user: 'allow' } })).toEqual({
    Bash: { agent: 'deny' },
    Read: { user: 'allow' },
  });
  const before = { policy: { Read: { agent: 'allow' } }, web_fetch: null } as const;
  expect(toolSettings().default).toEqual({ policy: {}, web_fetch: null });
  expect(read(toolSettings(), { policy: { Bash: 'deny' } }, { before })).toEqual({
    policy: { Read: { agent: 'allow' }, Bash: { agent: 'deny' } },
    web_fetch: null,
  });
  expect(read(toolSettings(), { web_fetch: {} }, { before }).web_fetch).toEqual({
    hosts: null,
    private_addresses: false,
  });
  expect(read(toolSettings(), { web_fetch: written.web_fetch }, { before }).web_fetch).toEqual(
    written.web_fetch,
  );
});

/** Reads with the part of the context that the setting uses. */
function read<Written, Value>(
  setting: SettingType<Written, Value>,
  written: Written,
  context: object,
): Value {
  return setting.read(written, z.custom<ReadContext<Value>>(isObject).parse(context));
}

function keptSchema({ kept: schemaOf }: { readonly kept?: (zod: typeof z) => z.ZodType }): z.ZodType {
  if (schemaOf === undefined) throw new Error('the setting has no schema of its kept value');
  return schemaOf(z);
}

const pathOf = (path: string, name: string, key: string) => `/${name}/${key}/${path}`;

function isObject(value: unknown): boolean {
  return typeof value === 'object';
}
