import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { providerNames } from '../contract/registry.ts';
import { findProfile, readProfiles } from './profile-folder.ts';
import { profileFileName, profileSchema, readProfile, renderProfileSchema, type Profile } from './profile.ts';
import { requestParameters } from './request-parameters.ts';
import { shippedProfileDir } from './shipped-profiles.ts';

const published = resolve(import.meta.dirname, '../../../schemas/collab.profile.json');

/** The specification's example. */
const gemini = {
  basic_info: {
    id: 'gemini-2.5-flash',
    name: 'Gemini 2.5 Flash',
    description: '高速で効率的な汎用モデル',
    provider: 'gemini',
  },
  capabilities: {
    context_length: 1_048_576,
    max_completion_tokens: 8192,
    supported_parameters: ['temperature', 'top_p', 'top_k', 'max_output_tokens', 'stop_sequences'],
  },
  features: {
    supports_function_calling: true,
    supports_streaming: true,
    is_multimodal: true,
    input_modalities: ['text', 'image', 'video', 'audio'],
    output_modalities: ['text'],
    supports_reasoning: false,
  },
  pricing: { input_per_1m_tokens: 0.075, output_per_1m_tokens: 0.3, currency: 'USD' },
  limitations: { rate_limit_rpm: 1000, rate_limit_tpm: 4_000_000 },
  notes: { best_for: ['一般的な質問応答'], release_date: '2025-01-01' },
};

function read(profile: unknown, fileName = 'gemini-2.5-flash.json') {
  return readProfile({ text: JSON.stringify(profile), fileName, provider: 'gemini' });
}

test('X003-9.1 the published schema is the one that the program checks with (UPDATE_SCHEMAS=1 writes it)', () => {
  if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(published, renderProfileSchema());
  expect(readFileSync(published, 'utf8')).toBe(renderProfileSchema());
});

test('R003-41 R003-42 R003-43 the profile of the specification is read whole', () => {
  expect(read(gemini)).toEqual({ profile: gemini, faults: [], warnings: [] });
});

test.each<[string, unknown]>([
  ['/basic_info', { ...gemini, basic_info: undefined }],
  ['/basic_info/name', { ...gemini, basic_info: { ...gemini.basic_info, name: 7 } }],
  [
    '/capabilities/context_length',
    { ...gemini, capabilities: { ...gemini.capabilities, context_length: '1' } },
  ],
  [
    '/features/input_modalities/0',
    { ...gemini, features: { ...gemini.features, input_modalities: ['smell'] } },
  ],
  [
    '/features/output_modalities/0',
    { ...gemini, features: { ...gemini.features, output_modalities: ['video'] } },
  ],
  ['/pricing/currency', { ...gemini, pricing: { ...gemini.pricing, currency: undefined } }],
  ['/basic_info/provider', { ...gemini, basic_info: { ...gemini.basic_info, provider: 'openai' } }],
])('R003-41 X003-9.3,4 a fault is reported with its place: %s', (place, profile) => {
  expect(read(profile).faults.map((fault) => fault.place)).toEqual([place]);
  expect(read(profile).profile).toBeNull();
});

test.each([gemini, { ...gemini, notes: undefined }, { ...gemini, features: {} }, {}])(
  'X003-9.1 an editor and the program judge alike: %#',
  (profile) => {
    const written: unknown = JSON.parse(JSON.stringify(profile));
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(published, 'utf8')));
    expect(validate(written)).toBe(profileSchema.safeParse(written).success);
  },
);

test('X003-9.2 an unknown key is kept, with a warning', () => {
  const profile = { ...gemini, extra: 1, features: { ...gemini.features, supports_magic: true } };
  const { warnings, profile: kept } = read(profile);
  expect(warnings.map(({ place }) => place)).toEqual(['/features/supports_magic', '/extra']);
  expect(kept).toEqual(profile);
});

test('X003-9.5 modalities that disagree are a warning', () => {
  const { warnings } = read({ ...gemini, features: { ...gemini.features, is_multimodal: false } });
  expect(warnings).toEqual([{ place: '/features/is_multimodal', expected: 'true, as the modalities say' }]);
});

test('R003-6 X003-10 the file is named by the id, percent-encoded', () => {
  const id = 'org/model:tag';
  const profile = { ...gemini, basic_info: { ...gemini.basic_info, id } };
  expect(profileFileName(id)).toBe('org%2Fmodel%3Atag.json');
  expect(read(profile, profileFileName(id)).faults).toEqual([]);
  expect(read(profile, 'model.json').faults).toEqual([
    {
      place: '/basic_info/id',
      expected: 'the name of the file, model; or call the file org%2Fmodel%3Atag.json',
    },
  ]);
  expect(read(profile, '%.json').faults).toHaveLength(1);
});

test('X003-10.1 a profile is found by its id', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'collab-profiles-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const id = 'a/b';
  writeFileSync(
    join(folder, profileFileName(id)),
    JSON.stringify({ ...gemini, basic_info: { ...gemini.basic_info, id } }),
  );
  expect(findProfile(folder, 'gemini', id)?.basic_info.id).toBe(id);
  expect(findProfile(folder, 'gemini', 'b')).toBeNull();
});

const base = { modelId: 'gemini-2.5-flash' };
const withoutTemperature: Profile = {
  ...gemini,
  features: { ...gemini.features, input_modalities: ['text'], output_modalities: ['text'] },
  capabilities: { ...gemini.capabilities, supported_parameters: [] },
};
const thinking: Profile = {
  ...withoutTemperature,
  capabilities: { ...gemini.capabilities, supported_parameters: ['temperature', 'thinking_budget'] },
  features: { ...withoutTemperature.features, supports_reasoning: true },
};

test.each([-0.1, 2.1, Number.NaN])('R003-12 a temperature of %d is refused', (temperature) => {
  expect(() => requestParameters({ ...base, temperature }, null)).toThrow(
    'temperature must be from 0.0 to 2.0',
  );
});

test('R003-11.1 R003-12 the temperature is 0.7 by default', () => {
  const { profile } = read(gemini);
  expect(requestParameters(base, profile)).toEqual({ temperature: 0.7 });
  expect(requestParameters({ ...base, temperature: 2 }, profile)).toEqual({ temperature: 2 });
});

test('R003-13 a budget of thoughts is for models that think', () => {
  expect(() => requestParameters({ ...base, thinkingBudget: 100 }, withoutTemperature)).toThrow(
    'does not support thinking_budget',
  );
  expect(requestParameters({ ...base, thinkingBudget: 100 }, thinking)).toEqual({ thinkingBudget: 100 });
  expect(() => requestParameters({ ...base, thinkingBudget: -1 }, thinking)).toThrow('number of tokens');
  const { supports_reasoning } = thinking.features;
  const untold = { ...withoutTemperature, features: { ...withoutTemperature.features, supports_reasoning } };
  expect(() => requestParameters({ ...base, thinkingBudget: 100 }, untold)).toThrow(
    'does not support thinking_budget: it does not measure its thinking in tokens',
  );
});

test('X003-11 a parameter that the model does not take is refused where it was asked for, else left out', () => {
  expect(requestParameters(base, withoutTemperature)).toEqual({});
  expect(() => requestParameters({ ...base, temperature: 0.7 }, withoutTemperature)).toThrow(
    'does not support temperature',
  );
  expect(() => requestParameters({ ...base, extra: { top_z: 1 } }, read(gemini).profile)).toThrow(
    'does not support top_z',
  );
  const extra = { top_p: 0.9 };
  expect(requestParameters({ ...base, extra }, read(gemini).profile)).toMatchObject({ extra });
});

test.each(providerNames)('R003-56 the profiles of %s are sound', (name) => {
  const profiles = readProfiles(shippedProfileDir(name), name);
  expect(profiles.length).toBeGreaterThan(0);
  expect(profiles.flatMap(({ faults, warnings }) => [...faults, ...warnings])).toEqual([]);
});
