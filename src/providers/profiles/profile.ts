/** A model's profile, `ai_profile/<model-id>.json` (R003-41 … R003-43); `schemas/collab.profile.json` is generated from it. */
import { z } from 'zod';
import { pointer } from '../history/history-integrity.ts';
import { parseJson } from '../../text/parse-json.ts';

const modalities = ['text', 'image', 'video', 'audio'] as const;
const count = z.int().nonnegative();
const price = z.number().nonnegative().describe('For 1,000,000 tokens.');

export const profileSchema = z
  .looseObject({
    basic_info: z.looseObject({
      id: z
        .string()
        .min(1)
        .describe("The model's id; the file is named after it, percent-encoded, with .json."),
      name: z.string().min(1).describe('The display name.'),
      description: z.string(),
      provider: z.string().min(1).describe('The folder of the provider.'),
    }),
    capabilities: z.looseObject({
      context_length: count.describe('Tokens.'),
      max_completion_tokens: count.describe('Tokens.'),
      supported_parameters: z.array(z.string()).describe('No other parameter is ever sent.'),
    }),
    features: z.looseObject({
      supports_function_calling: z.boolean(),
      supports_streaming: z.boolean(),
      is_multimodal: z.boolean(),
      input_modalities: z.array(z.enum(modalities)),
      output_modalities: z.array(z.enum(['text', 'image', 'audio'])),
      supports_reasoning: z.boolean(),
    }),
    pricing: z
      .looseObject({
        input_per_1m_tokens: price,
        output_per_1m_tokens: price,
        currency: z.string(),
        cache_read_per_1m_tokens: price.optional(),
        cache_write_5m_per_1m_tokens: price.optional(),
        cache_write_1h_per_1m_tokens: price.optional(),
      })
      .optional(),
    limitations: z
      .looseObject({ rate_limit_rpm: count.optional(), rate_limit_tpm: count.optional() })
      .optional(),
    notes: z.looseObject({}).optional(),
  })
  .describe('The facts about one model of a provider.');
export type Profile = z.infer<typeof profileSchema>;

export interface ProfileRemark {
  /** JSON pointer into the file; empty for the file itself. */
  readonly place: string;
  readonly expected: string;
}

export interface ReadProfile {
  /** The profile; null if there are faults. */
  readonly profile: Profile | null;
  readonly faults: readonly ProfileRemark[];
  readonly warnings: readonly ProfileRemark[];
}

export interface ProfileFile {
  readonly text: string;
  /** Without its folder. */
  readonly fileName: string;
  readonly provider: string;
}

export function readProfile({ text, fileName, provider }: ProfileFile): ReadProfile {
  const json = parseJson(text);
  if (json === undefined) return refused([{ place: '', expected: 'JSON' }]);
  const parsed = profileSchema.safeParse(json);
  if (!parsed.success) {
    return refused(
      parsed.error.issues.map(({ path, message }) => ({ place: pointer(path), expected: message })),
    );
  }
  const profile = parsed.data;
  const faults = nameFaults(profile, fileName, provider);
  if (faults.length > 0) return refused(faults);
  return { profile, faults, warnings: [...unknownKeys(json), ...disagreements(profile)] };
}

/** Returns the file name: `org/model:tag` → `org%2Fmodel%3Atag.json` (X003-10). */
export function profileFileName(modelId: string): string {
  return `${encodeURIComponent(modelId)}.json`;
}

/** Renders the JSON Schema that ships with the package, for editors. @internal */
export function renderProfileSchema(): string {
  const schema = z.toJSONSchema(profileSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ title: 'ai_profile/<model-id>.json', ...schema }, null, 2)}\n`;
}

function refused(faults: readonly ProfileRemark[]): ReadProfile {
  return { profile: null, faults, warnings: [] };
}

function nameFaults({ basic_info }: Profile, fileName: string, provider: string): readonly ProfileRemark[] {
  return [
    ...(decodedName(fileName) === basic_info.id
      ? []
      : [
          {
            place: '/basic_info/id',
            expected: `the name of the file, ${decodedName(fileName) ?? fileName}; or call the file ${profileFileName(basic_info.id)}`,
          },
        ]),
    ...(basic_info.provider === provider
      ? []
      : [{ place: '/basic_info/provider', expected: `the name of the folder, ${provider}` }]),
  ];
}

function decodedName(fileName: string): string | null {
  try {
    return decodeURIComponent(fileName.replace(/\.json$/, ''));
  } catch {
    return null;
  }
}

/** Lists unknown keys, which are kept but may be typos. */
function unknownKeys(json: unknown): readonly ProfileRemark[] {
  const { shape } = profileSchema;
  return entriesOf(json).flatMap(([section, value]) => {
    if (section === 'notes') return [];
    if (!isKeyOf(shape, section)) return [unknown([section])];
    const inner = shapeOf(shape[section]);
    return entriesOf(value).flatMap(([key]) => (key in inner ? [] : [unknown([section, key])]));
  });
}

function unknown(path: readonly string[]): ProfileRemark {
  return { place: pointer(path), expected: 'a key that the specification knows; this one is kept' };
}

function shapeOf(schema: z.ZodOptional<z.ZodObject> | z.ZodObject): Readonly<Record<string, unknown>> {
  return schema instanceof z.ZodObject ? schema.shape : schema.unwrap().shape;
}

function isKeyOf<Shape extends object>(shape: Shape, key: string): key is Extract<keyof Shape, string> {
  return Object.hasOwn(shape, key);
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return value !== null && typeof value === 'object' ? Object.entries(value) : [];
}

function disagreements({ features }: Profile): readonly ProfileRemark[] {
  const several = [...features.input_modalities, ...features.output_modalities].some(
    (kind) => kind !== 'text',
  );
  if (several === features.is_multimodal) return [];
  return [{ place: '/features/is_multimodal', expected: `${several}, as the modalities say` }];
}
