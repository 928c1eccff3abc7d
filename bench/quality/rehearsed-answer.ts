/** The answers of the shipped rehearsal, `rehearsal.json`: made up, with faults that it misses and findings that only some runs have. */
import { join } from 'node:path';
import { z } from 'zod';
import { QualityError } from './sets/benchmark-set.ts';
import { readJson } from './sets/read-json.ts';

const findingsSchema = z.array(
  z.strictObject({
    severity: z.enum(['Critical', 'Important', 'Minor']),
    title: z.string(),
    path: z.string(),
    line: z.int().positive(),
    quote: z.string(),
    why: z.string(),
    /** The runs that report it; default: all. */
    runs: z.array(z.int().positive()).optional(),
  }),
);
const rehearsalSchema = z.record(z.string(), findingsSchema);

/** Returns an answer in the form that a review asks for. @throws QualityError for a change without a rehearsal */
export function rehearsedAnswer(root: string, change: string, run: number): string {
  const findings = readJson(join(root, 'bench/quality/rehearsal.json'), rehearsalSchema)[change];
  if (findings === undefined)
    throw new QualityError(
      `there is no rehearsal of ${change}`,
      'Name a script: --advisor rehearsal:<script.yaml>',
    );
  const reported = findings.filter(({ runs }) => runs?.includes(run) ?? true);
  const issues = ['Critical', 'Important', 'Minor'].map((severity) =>
    [
      `### ${severity}`,
      ...reported.filter((finding) => finding.severity === severity).map(renderFinding),
    ].join('\n'),
  );
  return `[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Small.\n\n## ISSUES\n${reported.length === 0 ? 'None' : issues.join('\n')}\n\n## SUGGESTIONS\nNone\n`;
}

function renderFinding({ title, path, line, quote, why }: z.infer<typeof findingsSchema>[number]): string {
  return `- **${title}** — \`${path}:${line}\`\n  \`\`\`\n  ${quote}\n  \`\`\`\n  Why: ${why}\n  Fix: See above.`;
}
