/** The `collab.config.yaml` of `collab init`: every setting as a comment, with its default. */
import { z } from 'zod';
import { actionIn, settings as settingDeeds } from '../../access/actions.ts';
import { may } from '../../access/may.ts';
import { repository } from '../../access/speaker.ts';
import { configSchema, type Config } from '../../config/config-schema.ts';

export function renderInitialConfig(): string {
  const allowed = Object.entries(values).filter(
    ([key]) => may(repository, actionIn(settingDeeds, key)).allowed,
  );
  const settings = allowed.map(([key, value]) => `# ${describe(key)}\n# ${key}: ${value}\n`);
  return `${opening}\n${settings.join('\n')}`;
}

const opening = `# Configuration of collab. Remove the # from a setting to change it; flags win over this file.
# A wrong key is an error that names the line and the nearest right key. Advisor, lead and their programs cannot be set in a file
# of the repository. Set them in your own: ~/.config/collab/collab.config.yaml, with the same keys.
`;

/** The defaults; an example if there is none. */
const values = {
  advisor: 'auto',
  lead: 'auto',
  verify: 'auto',
  fail_on: 'critical',
  fail_on_empty: 'false',
  allow_empty: 'false',
  allow_static: 'false',
  on_advisor_failure: 'stop',
  rules: 'default',
  format: 'terminal',
  reports: '[]',
  focus: 'the locking',
  instructions: 'docs/review.md',
  suppressions: 'collab.suppressions.yaml',
  include: "['src/**']",
  exclude: "['docs/**']",
  language: 'en',
  time_limit: '1h',
  budget_tokens: '500000',
  budget_calls: '40',
  budget_usd: '5',
  cache: 'true',
  concurrency: '3',
  chunk_tokens: '24000',
  limits: '{ first_sign: 30s, first_byte: 2m, idle: 5m, total: 30m }',
  phase_limits: '{ implementation: { total: 1h } }',
  budgets:
    '{ repairing: 2, completing: 2, recontextualising: 1, shortening: 2, waiting: 3, answering: 3, attempts: 6 }',
  waits: '[5s, 15s, 45s]',
  provider_paths: '[ai_client]',
  providers: '{ codex: { path: /opt/codex/bin/codex } }',
  stream_limit_seconds: '300',
  tools: '{ policy: { Bash: deny } }',
} as const satisfies Record<keyof Config, string>;

function describe(key: string): string {
  const { properties } = describedSchema.parse(z.toJSONSchema(configSchema, { io: 'input' }));
  return properties[key]?.description ?? '';
}

const describedSchema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ description: z.string() })),
});
