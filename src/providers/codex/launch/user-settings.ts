/** The few settings of the user's own Codex that are passed on. */
import { z } from 'zod';

/** One entry of `model_providers`; unknown keys are passed on unchanged. */
export const providerSchema = z
  .object({
    base_url: optional(z.string()),
    env_key: optional(z.string()),
    experimental_bearer_token: optional(z.string()),
    http_headers: optional(z.record(z.string(), z.string())),
    env_http_headers: optional(z.record(z.string(), z.string())),
    requires_openai_auth: optional(z.boolean()),
  })
  .catchall(z.json());

function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

export const userSettingsSchema = z.object({
  model: z.string().nullable(),
  reasoningEffort: z.string().nullable(),
  /** Id of the provider; null for the built-in one. */
  providerId: z.string().nullable(),
  /** The provider's entry; null for the built-in one and for one that Codex itself knows. */
  provider: providerSchema.nullable(),
  openaiBaseUrl: z.string().nullable(),
  chatgptBaseUrl: z.string().nullable(),
  /** Storage of the user's login: `file`, `keyring`, `auto`; null if not set. */
  loginStore: z.string().nullable(),
});
export type UserSettings = Readonly<z.infer<typeof userSettingsSchema>>;
