/** The schema of the suppression file: findings that a person decided not to count, each with a reason. */
import { z } from 'zod';
import { readYamlAs } from '../parsers/yaml/read-yaml-as.ts';
import { severities, type Severity } from '../tags/severities.ts';
import { firstFault } from './check-config.ts';

export const suppressionsFileName = 'collab.suppressions.yaml';

const entrySchema = z
  .strictObject({
    identity: z
      .string()
      .regex(/^[0-9a-f]{12,64}$/, 'must be 12 to 64 hexadecimal digits, as in result.json')
      .optional()
      .describe('The identity of the finding in result.json, or its first digits: at least 12.'),
    path: z.string().min(1).optional().describe('The file of the finding, from the top of the repository.'),
    title: z.string().trim().min(1).optional().describe('Its title; case and punctuation do not matter.'),
    quote: z.string().trim().min(1).optional().describe('The lines it quotes; white space does not matter.'),
    severity: z
      .enum(severities)
      .optional()
      .describe('The worst severity that it covers. Default important: a Critical finding has to be named.'),
    reason: z.string().trim().min(1).describe('Why it does not count. Every report shows it.'),
    expires: z.iso
      .date('must be a day such as 2027-01-31')
      .optional()
      .describe(
        'The last day on which it applies, in UTC. After it the finding counts again, and the report says so.',
      ),
  })
  .refine(({ identity, path, title, quote }) => identity ?? (path && (title ?? quote)), {
    error: 'names no finding: give its identity, or its path with its title or quote',
  });

export const suppressionsFileSchema = z
  .strictObject({ suppressions: z.array(entrySchema).optional().describe('All given keys must match.') })
  .describe('Findings that do not count in reviews of collab.');

export interface WrittenSuppression {
  readonly line: number;
  readonly identity: string | null;
  readonly path: string | null;
  readonly title: string | null;
  readonly quote: string | null;
  readonly severity: Severity | null;
  readonly reason: string;
  readonly expires: string | null;
}

/**
 * Parses and checks the text. `name` is the file's name in messages.
 * @throws CollabError `config` with file, line, column and the closest valid key
 */
export function checkSuppressions(text: string, name: string): readonly WrittenSuppression[] {
  const reading = readYamlAs(suppressionsFileSchema, text);
  if (!reading.ok) throw firstFault(name, reading.faults);
  return (reading.value.suppressions ?? []).map((entry, index) => ({
    line: reading.positionOf(['suppressions', index]).line,
    identity: entry.identity ?? null,
    path: entry.path ?? null,
    title: entry.title ?? null,
    quote: entry.quote ?? null,
    severity: entry.severity ?? null,
    reason: entry.reason,
    expires: entry.expires ?? null,
  }));
}

/** Returns the JSON Schema that ships with the package, for editors. @internal */
export function renderSuppressionsSchema(): string {
  const schema = z.toJSONSchema(suppressionsFileSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ title: suppressionsFileName, ...schema }, null, 2)}\n`;
}
