import type { Severity } from '../../tags/severities.ts';

export interface SeverityPrefix {
  /** The severity; null for a word of another scale (`High`, `P1`): a group without one of the three severities. */
  readonly severity: Severity | null;
  /** The text after it. */
  readonly rest: string;
}

const gradeWords: readonly (readonly [RegExp, Severity | null])[] = [
  [/^critical(?![\p{L}\p{N}])/iu, 'critical'],
  [/^important(?![\p{L}\p{N}])/iu, 'important'],
  [/^minor(?![\p{L}\p{N}])/iu, 'minor'],
  [/^(?:重大|致命的|クリティカル|緊急)/u, 'critical'],
  [/^(?:重要)(?!度)/u, 'important'],
  [/^(?:軽微|マイナー)/u, 'minor'],
  [/^(?:blockers?|high|medium|moderate|major|low|nits?|trivial|warnings?|p[0-4])(?![\p{L}\p{N}])/iu, null],
];
/** Matches "Critical Issues", "重大な問題", "Minor (2)", "Important — should fix". */
const groupTail =
  /^(?:[ -]*(?:severity|priority|grade|level))?(?: *(?:issues?|problems?|findings?|concerns?|bugs?|items?))?(?:な?(?:問題|指摘|課題|不具合)点?(?:事項)?)?\s*(?:[(（[][^()（）]*[)）\]])?\s*[:：]?\s*(?:[—–-]+\s*(?:must|should|nice|could|block|fix|required|optional|必須|推奨|任意).*)?[^\p{L}\p{N}]*$/iu; // stripped text

/** In characters. */
const longestHeading = 300;

/** Reads a heading or line that only opens a group: `### 🔴 Critical (Must Fix Before Merge)`, `**Critical**:`. */
export function readSeverityHeading(text: string): SeverityPrefix | null {
  const found = text.length > longestHeading ? null : gradeAtStart(text);
  if (found === null || !groupTail.test(found.rest.replaceAll(/[*_`\]】]/g, ''))) return null;
  return { severity: found.severity, rest: '' };
}

/**
 * Reads a severity before an issue: `**Critical**: …`, `[Critical] …`, `🔴 Critical — …`; "Critical section" does not
 * count.
 */
export function readSeverityPrefix(text: string): SeverityPrefix | null {
  const found = gradeAtStart(text);
  if (found === null) return null;
  const start = found.rest.slice(0, longestHeading);
  const behind =
    /^(?:\s*[(（][^()（）]*[)）])?(?:[*_`\]】)）]+\s*[:：—–|/-]*|\s*[:：|/](?:[*_`]+(?=\s|$))?|\s+[—–-]+(?=\s))\s*/u.exec(
      start,
    );
  if (behind === null) return null;
  return { severity: found.severity, rest: rebalance(found.rest.slice(behind[0].length), behind[0]) };
}

/** Returns true if a group heading announces no issues: `### Critical (0)`. */
export function announcesNoIssue(text: string): boolean {
  return /[(（[]\s*(?:0|none|なし)\s*[)）\]]/i.test(text);
}

function gradeAtStart(text: string): SeverityPrefix | null {
  const start = /^[^\p{L}\p{N}]*(?:\d{1,3}[.)]\s*)?[^\p{L}\p{N}]*/u.exec(text)?.[0] ?? '';
  const words = text.slice(start.length);
  for (const [pattern, severity] of gradeWords) {
    const match = pattern.exec(words);
    if (match !== null) return { severity, rest: words.slice(match[0].length) };
  }
  return null;
}

/** Restores the opening mark of `**[Critical] Title** …`, which was part of the prefix. */
function rebalance(rest: string, behind: string): string {
  const closes = (rest.split('**').length - 1) % 2 === 1;
  return closes && !behind.includes('**') ? `**${rest}` : rest;
}
