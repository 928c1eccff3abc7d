/** All rules over a whole change. */
import { compareSeverity } from '../../tags/tags.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { languageOf } from './language.ts';
import { maskHunk } from './mask-hunk.ts';
import { newSideOf } from './new-side.ts';
import type { RuleFinding } from './rule-finding.ts';
import { rulesFor } from './rule-sets.ts';
import { scanReplaced } from './scan-replaced.ts';
import { scanSecrets } from './scan-secrets.ts';
import { scanSyntax } from './scan-syntax.ts';
import { scanText } from './scan-text.ts';

/** A secret is one finding, not one for each rule that sees a part of it. */
const impliedBySecret: ReadonlySet<string> = new Set(['hardcoded-password', 'secret-fallback']);

/** What the rules find, worst first, then in the order of the change. @throws the signal's reason once it is aborted */
export async function scanChange(
  files: readonly DiffFile[],
  signal: AbortSignal,
): Promise<readonly RuleFinding[]> {
  const inChange = files.flatMap(addedLinesOf);
  const findings: RuleFinding[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    findings.push(...(await scanFile(file, inChange)));
  }
  return findings.toSorted((left, right) => compareSeverity(left.rule.severity, right.rule.severity));
}

async function scanFile(file: DiffFile, inChange: readonly string[]): Promise<readonly RuleFinding[]> {
  if (file.binary) return [];
  const [language, rules] = [languageOf(file.path), rulesFor(file.path)];
  const elsewhere = { inFile: addedLinesOf(file), inChange };
  const findings: RuleFinding[] = [];
  for (const hunk of file.hunks) {
    const masked = await maskHunk(hunk);
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

/** One finding for a rule and a line, and none that a secret on the same line already says. */
function onePerLine(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const secretLines = new Set(
    findings.filter(({ rule }) => rule.name === 'hardcoded-secret').map(({ startLine }) => startLine),
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
