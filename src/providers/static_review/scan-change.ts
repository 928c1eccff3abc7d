/** Runs all rules over a whole change. */
import { compareSeverity } from '../../tags/severities.ts';
import type { RuleSet } from '../../config/settings.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { languageOf } from './language.ts';
import { knownHunk, maskHunk, type SecretOnLine } from './mask-hunk.ts';
import { newSideOf } from './new-side.ts';
import type { RuleFinding } from './rule-finding.ts';
import { rulesFor } from './rule-sets.ts';
import { scanReplaced } from './scan-replaced.ts';
import { passwordRule, scanSecrets, secretRule } from './scan-secrets.ts';
import { scanSyntax } from './scan-syntax.ts';
import { scanText } from './scan-text.ts';

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
}

/** Returns all findings, the worst first, then in the order of the change. @throws the signal's reason once it is aborted */
export async function scanChange(
  files: readonly DiffFile[],
  signal: AbortSignal,
  { secrets, rules = 'default' }: ScanOptions = {},
): Promise<readonly RuleFinding[]> {
  const inChange = files.flatMap(addedLinesOf);
  const findings: RuleFinding[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    findings.push(...(await scanFile(file, inChange, { secrets, rules })));
  }
  return findings.toSorted((left, right) => compareSeverity(left.rule.severity, right.rule.severity));
}

async function scanFile(
  file: DiffFile,
  inChange: readonly string[],
  { secrets: known, rules: set }: { readonly secrets: KnownSecrets | undefined; readonly rules: RuleSet },
): Promise<readonly RuleFinding[]> {
  if (file.binary) return [];
  const [language, rules] = [languageOf(file.path), rulesFor(file.path, set)];
  const elsewhere = { inFile: addedLinesOf(file), inChange };
  const findings: RuleFinding[] = [];
  for (const hunk of file.hunks) {
    const masked = known === undefined ? maskHunk(file.path, hunk) : knownHunk(file.path, hunk, known);
    const found = [
      ...scanSecrets(file.path, masked),
      ...(await scanSyntax(file.path, language, newSideOf(hunk), rules)),
      ...scanText(file.path, language, hunk, rules),
      ...scanReplaced(file, hunk, rules, elsewhere),
    ];
    findings.push(...found.map((finding) => masked.mask(finding)));
  }
  return onePerLine(findings).toSorted((left, right) => left.startLine - right.startLine);
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
