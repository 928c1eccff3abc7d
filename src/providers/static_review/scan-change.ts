/** Runs all rules over a whole change. */
import { compareSeverity } from '../../tags/severities.ts';
import type { RuleSet } from '../../config/settings.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { languageOf, type Language } from '../../parsers/languages/language.ts';
import { textZonesOf } from '../../parsers/languages/text-zones.ts';
import { knownHunk, maskHunk, type SecretOnLine } from './mask-hunk.ts';
import { newSidesOf, type NewSide } from './new-side.ts';
import type { Rule } from './rule.ts';
import type { RuleFinding } from './rule-finding.ts';
import { rulesFor } from './rule-sets.ts';
import { scanReplaced } from './scan-replaced.ts';
import { passwordRule, scanSecrets, secretRule } from './scan-secrets.ts';
import { scanSyntax } from './scan-syntax.ts';
import { scanText } from './scan-text.ts';
import { parseTree, syntaxLanguages, treeZonesOf } from './syntax-tree.ts';

/** The rules for secrets: a secret is one finding, even if several rules match parts of it. */
const secretRules: ReadonlySet<string> = new Set([secretRule.name, passwordRule.name]);
const impliedBySecret: ReadonlySet<string> = new Set(['secret-fallback']);

/** Secrets found before the files were masked. */
export type KnownSecrets = readonly (ReportableOnPath & { readonly line: number })[];
type ReportableOnPath = SecretOnLine['secret'] & { readonly path: string };

export interface ScanOptions {
  /** Secrets of masked files; absent if the files are unmasked. */
  readonly secrets?: KnownSecrets | undefined;
  readonly rules?: RuleSet | undefined;
  /** Returns the whole text of a file after the change; null if it is unknown: then its hunks are read alone. */
  readonly headOf?: HeadReader | undefined;
}

export type HeadReader = (path: string) => string | null | Promise<string | null>;

/** Returns all findings, the worst first, then in the order of the change. @throws the signal's reason once it is aborted */
export async function scanChange(
  files: readonly DiffFile[],
  signal: AbortSignal,
  { secrets, rules = 'default', headOf = () => null }: ScanOptions = {},
): Promise<readonly RuleFinding[]> {
  const inChange = files.flatMap(addedLinesOf);
  const findings: RuleFinding[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    findings.push(...(await scanFile(file, inChange, { secrets, rules, headOf })));
  }
  return findings.toSorted((left, right) => compareSeverity(left.rule.severity, right.rule.severity));
}

interface Known extends Pick<ScanOptions, 'secrets'> {
  readonly rules: RuleSet;
  readonly headOf: HeadReader;
}

async function scanFile(
  file: DiffFile,
  inChange: readonly string[],
  { secrets: known, rules: set, headOf }: Known,
): Promise<readonly RuleFinding[]> {
  if (file.binary) return [];
  const { path } = file;
  const [language, rules] = [languageOf(path), rulesFor(path, set)];
  const elsewhere = { inFile: addedLinesOf(file), inChange };
  const masked = file.hunks.map((hunk) =>
    known === undefined ? maskHunk(path, hunk) : knownHunk(path, hunk, known),
  );
  const hunks = masked.map(({ hunk }) => hunk);
  const findings: RuleFinding[] = masked.flatMap((hunk) => scanSecrets(path, hunk));
  for (const side of newSidesOf({ ...file, hunks }, language, await headOf(path)))
    findings.push(...(await scanSide(path, language, side, rules)));
  findings.push(...hunks.flatMap((hunk) => scanReplaced(file, hunk, rules, elsewhere)));
  return onePerLine(findings).toSorted((left, right) => left.startLine - right.startLine);
}

async function scanSide(
  path: string,
  language: Language,
  side: NewSide,
  rules: readonly Rule[],
): Promise<readonly RuleFinding[]> {
  let parsed: ReturnType<typeof parseTree> | null = null;
  const parse = () => (parsed ??= parseTree(language, side.text));
  const zones = async () =>
    syntaxLanguages.includes(language) ? treeZonesOf(await parse()) : textZonesOf(side.text, language);
  return [
    ...(await scanSyntax(path, language, side, rules, parse)),
    ...(await scanText(path, language, side, rules, zones)),
  ];
}

function addedLinesOf({ hunks }: DiffFile): readonly string[] {
  return hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added').map(({ text }) => text));
}

/** Keeps one finding per rule and line, and drops those that a secret on the same line already covers. */
function onePerLine(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const secretLines = new Set(
    findings.filter(({ rule }) => secretRules.has(rule.name)).map(({ startLine }) => startLine),
  );
  const seen = new Set<string>();
  return findings.filter(({ rule, side, startLine }) => {
    if (impliedBySecret.has(rule.name) && secretLines.has(startLine)) return false;
    const key = `${rule.name} ${side} ${startLine}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
