import { z } from 'zod';
import { messageInShort, type CheckItem, type CheckResults } from './check-results.ts';
import { malformed } from './malformed.ts';

/** SARIF 2.1.0, as far as it is used. */
const sarifSchema = z.looseObject({
  runs: z.array(
    z.looseObject({
      tool: z.looseObject({ driver: z.looseObject({ name: z.string() }) }),
      results: z
        .array(
          z.looseObject({
            level: z.string().nullish(),
            kind: z.string().nullish(),
            ruleId: z.string().nullish(),
            message: z.looseObject({ text: z.string().nullish(), markdown: z.string().nullish() }).nullish(),
            locations: z
              .array(
                z.looseObject({
                  physicalLocation: z
                    .looseObject({
                      artifactLocation: z.looseObject({ uri: z.string().nullish() }).nullish(),
                      region: z.looseObject({ startLine: z.number().nullish() }).nullish(),
                    })
                    .nullish(),
                }),
              )
              .nullish(),
            suppressions: z.array(z.unknown()).nullish(),
          }),
        )
        .nullish(),
    }),
  ),
});
type SarifResult = NonNullable<z.infer<typeof sarifSchema>['runs'][number]['results']>[number];

/** @throws CollabError `input` */
export function readSarif(name: string, text: string): CheckResults {
  const read = sarifSchema.safeParse(parseJson(name, text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    throw malformed(name, `not SARIF: ${place}${issue?.message ?? 'unknown form'}`);
  }
  const { runs } = read.data;
  const found = runs.flatMap(({ tool, results }) =>
    (results ?? []).filter(counts).map((result) => ({ tool: tool.driver.name, result })),
  );
  const items = found
    .map(({ tool, result }) => ({ rank: rankOf(result), item: itemOf(tool, result) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
  const tools = [...new Set(runs.map(({ tool }) => tool.driver.name))].join(', ');
  return { summary: `${items.length} ${items.length === 1 ? 'result' : 'results'} of ${tools}`, items };
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(name, cause instanceof Error ? cause.message : 'not JSON', cause);
  }
}

/** A suppressed result, and one that only says that a rule was satisfied, do not. */
function counts({ suppressions, kind }: SarifResult): boolean {
  return (
    (suppressions ?? []).length === 0 && !['pass', 'notApplicable', 'informational'].includes(kind ?? 'fail')
  );
}

function rankOf({ level }: SarifResult): number {
  return level === 'error' ? 0 : level === 'note' || level === 'none' ? 2 : 1;
}

function itemOf(tool: string, { level, ruleId, message, locations }: SarifResult): CheckItem {
  const place = locations?.[0]?.physicalLocation;
  const path = pathOf(place?.artifactLocation?.uri ?? null);
  const line = place?.region?.startLine;
  const where = path === null ? '' : ` ${path}${line === null || line === undefined ? '' : `:${line}`}`;
  const words = messageInShort(message?.text ?? message?.markdown ?? '');
  return {
    path,
    text: `${level ?? 'warning'} ${tool} ${ruleId ?? ''}${where}: ${words}`.replaceAll(/ {2,}/gu, ' '),
  };
}

function pathOf(uri: string | null): string | null {
  if (uri === null) return null;
  const path = uri.replace(/^file:\/\/(?:localhost)?/u, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
