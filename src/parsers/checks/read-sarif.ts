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
                      region: z
                        .looseObject({ startLine: z.number().nullish(), endLine: z.number().nullish() })
                        .nullish(),
                    })
                    .nullish(),
                }),
              )
              .nullish(),
            suppressions: z.array(z.unknown()).nullish(),
            properties: z.looseObject({ 'security-severity': z.unknown() }).nullish(),
          }),
        )
        .nullish(),
    }),
  ),
});
type SarifResult = NonNullable<z.infer<typeof sarifSchema>['runs'][number]['results']>[number];

/** One result that is a fault, as the tool wrote it. */
export interface ToolResult {
  readonly tool: string;
  /** Empty if the result names none. */
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  /** From 0 to 10, as scanners of security write it; null if there is none. */
  readonly security: number | null;
  /** As the tool wrote it; null if the result names none. */
  readonly path: string | null;
  /** 1-based, both ends included; null if the result names none. */
  readonly lines: { readonly start: number; readonly end: number } | null;
  readonly message: string;
}

/** @throws CollabError `input` */
export function readSarif(name: string, text: string): CheckResults {
  const { tools, results } = readSarifResults(name, text);
  const items = results.map(itemOf);
  return {
    summary: `${items.length} ${items.length === 1 ? 'result' : 'results'} of ${tools.join(', ')}`,
    items,
  };
}

export interface SarifResults {
  readonly tools: readonly string[];
  /** The worst first. */
  readonly results: readonly ToolResult[];
}

/** Reads the results that are faults and not suppressed. @throws CollabError `input` */
export function readSarifResults(name: string, text: string): SarifResults {
  const read = sarifSchema.safeParse(parseJson(name, text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    throw malformed(name, `not SARIF: ${place}${issue?.message ?? 'unknown form'}`);
  }
  const { runs } = read.data;
  const results = runs
    .flatMap(({ tool, results: found }) =>
      (found ?? []).filter(counts).map((result) => resultOf(tool.driver.name, result)),
    )
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
  return { tools: [...new Set(runs.map(({ tool }) => tool.driver.name))], results };
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

const levels: readonly ToolResult['level'][] = ['error', 'warning', 'note'];

function resultOf(tool: string, { level, ruleId, message, locations, properties }: SarifResult): ToolResult {
  const place = locations?.[0]?.physicalLocation;
  const security = Number(properties?.['security-severity'] ?? Number.NaN);
  return {
    tool,
    rule: ruleId ?? '',
    level: level === 'error' ? 'error' : level === 'note' || level === 'none' ? 'note' : 'warning',
    security: security >= 0 && security <= 10 ? security : null,
    path: pathOf(place?.artifactLocation?.uri ?? null),
    lines: linesOf(place?.region?.startLine ?? null, place?.region?.endLine ?? null),
    message: message?.text ?? message?.markdown ?? '',
  };
}

function linesOf(start: number | null, end: number | null): ToolResult['lines'] {
  if (start === null || !Number.isSafeInteger(start) || start < 1) return null;
  return { start, end: end !== null && Number.isSafeInteger(end) && end > start ? end : start };
}

function itemOf({ tool, rule, level, path, lines, message }: ToolResult): CheckItem {
  const where = path === null ? '' : ` ${path}${lines === null ? '' : `:${lines.start}`}`;
  return {
    path,
    text: `${level} ${tool} ${rule}${where}: ${messageInShort(message)}`.replaceAll(/ {2,}/gu, ' '),
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
