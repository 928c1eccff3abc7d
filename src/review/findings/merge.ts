import type { Finding } from '../../events/collab-event.ts';
import { compareSeverity } from '../../tags/severities.ts';
import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import type { FindingPlace, PlacedIssue } from './anchors.ts';
import {
  distinctIdentities,
  firstIdentityOf,
  identityOf,
  normaliseSpace,
  normaliseTitle,
} from './fingerprint.ts';
import { groupsOf } from '../group-by.ts';
import { renderFence } from '../../text/fence.ts';
import { replacementOf } from './replacement.ts';
import { sourceOf, type PlacedRuleIssue, type RuleIssue } from './rule-issue.ts';

/** The answer of one exchange of a review. */
export interface ChunkAnswer {
  readonly placed: readonly PlacedIssue[];
  readonly strengths: readonly string[];
  readonly suggestions: readonly string[];
}

export interface MergedReview {
  readonly findings: readonly Finding[];
  readonly strengths: readonly string[];
  readonly suggestions: readonly string[];
}

export function mergeReview(
  answers: readonly ChunkAnswer[],
  byRules: readonly PlacedRuleIssue[] = [],
): MergedReview {
  return {
    findings: mergeFindings(
      answers.map(({ placed }) => placed),
      byRules,
    ),
    strengths: mergeNotes(answers.map(({ strengths }) => strengths)),
    suggestions: mergeNotes(answers.map(({ suggestions }) => suggestions)),
  };
}

/**
 * Merges the findings of all chunks into one list: two with the same anchor, title and class become one finding,
 * with the higher severity and both texts. A rule's finding at the place of a model's finding is merged too: with the higher
 * severity and the model's words, followed by the rule's. Worst first, then by place; `F1`, `F2` … in that order.
 */
export function mergeFindings(
  perChunk: readonly (readonly PlacedIssue[])[],
  byRules: readonly PlacedRuleIssue[] = [],
): readonly Finding[] {
  const byModels = perChunk.flat();
  const alone = byRules.filter((rule) => !byModels.some((other) => overlaps(rule.place, other.place)));
  const findings = groupsOf([...byModels, ...alone], keyOf)
    .flatMap(byClaim)
    .flatMap(mergeSame);
  const sorted = byRules
    .filter((rule) => !alone.includes(rule))
    .reduce(addRule, findings)
    .toSorted(compareFindings);
  return withIdentities(sorted).map((finding, index) => ({ ...finding, id: `F${index + 1}` }));
}

/**
 * Returns the notes in order without duplicates; wording that differs only in case, space or punctuation counts as the
 * same.
 */
export function mergeNotes(perChunk: readonly (readonly string[])[]): readonly string[] {
  return groupsOf(perChunk.flat(), (note) => normaliseTitle(note) || note).flatMap((same) =>
    same.slice(0, 1),
  );
}

function keyOf({ issue, place: { path, side, anchor, quote } }: PlacedIssue): string {
  const words = side === null ? normaliseSpace(quote ?? '') : null;
  return JSON.stringify([path, side, anchor, words, normaliseTitle(issue.title)]);
}

/** Different classes are different claims; an issue without a class joins the first one that has one. */
function byClaim<Placed extends PlacedIssue>(same: readonly Placed[]): readonly (readonly Placed[])[] {
  const first = same.find(({ issue }) => issue.claim !== undefined)?.issue.claim ?? '';
  return groupsOf(same, ({ issue }) => issue.claim ?? first);
}

function withIdentities(findings: readonly Finding[]): readonly Finding[] {
  const identities = distinctIdentities(findings, identityOf);
  const firstIdentities = distinctIdentities(findings, ({ first_identity = '' }) => first_identity);
  return findings.map((finding, index) => ({
    ...finding,
    identity: identities[index] ?? '',
    first_identity: firstIdentities[index] ?? '',
  }));
}

/** Adds a rule's finding to the finding at its place with the same title, else to the worst one there. */
function addRule(findings: readonly Finding[], { place, found, issue }: PlacedRuleIssue): readonly Finding[] {
  const there = findings
    .filter((finding) => overlaps(place, placeOfFinding(finding)))
    .toSorted(compareFindings);
  const target = there.find(({ title }) => isTitle(title, found)) ?? there[0];
  return findings.map((finding) =>
    finding === target ? { ...finding, ...withRule(finding, found, issue) } : finding,
  );
}

function isTitle(title: string, found: RuleIssue): boolean {
  return normaliseTitle(title) === normaliseTitle(found.title);
}

function withRule(finding: Finding, found: RuleIssue, { text, remedy }: ReviewIssue): Partial<Finding> {
  const says = `${finderOf(found)} found here: ${found.title}. ${text}`;
  const isKnown = isTitle(finding.title, found);
  return {
    ...(compareSeverity(found.severity, finding.severity) < 0 ? { severity: found.severity } : {}),
    ...(isKnown ? {} : { body: joinTexts([finding.body, says]) }),
    ...(remedy === null || isKnown ? {} : { remedy: joinTexts([finding.remedy ?? '', remedy]) }),
    source: finding.source ?? sourceOf(found),
    ...(found.rejectable ? {} : { rejectable: false }),
  };
}

function finderOf({ rule, tool }: RuleIssue): string {
  if (tool === undefined) return `The rule \`${rule}\``;
  return rule === '' ? tool : `${tool} (\`${rule}\`)`;
}

type LinesOfFile = Pick<FindingPlace, 'path' | 'side' | 'startLine' | 'endLine'>;

function placeOfFinding({ path, side, start_line, end_line }: Finding): LinesOfFile {
  return { path, side, startLine: start_line, endLine: end_line };
}

function overlaps(left: LinesOfFile, right: LinesOfFile): boolean {
  if (left.path === null || left.path !== right.path || left.side !== right.side) return false;
  if (left.startLine === null || left.endLine === null) return false;
  if (right.startLine === null || right.endLine === null) return false;
  return left.startLine <= right.endLine && right.startLine <= left.endLine;
}

function mergeSame(issues: readonly (PlacedIssue | PlacedRuleIssue)[]): readonly Finding[] {
  const same = issues.toSorted((left, right) => compareSeverity(left.issue.severity, right.issue.severity));
  const [worst] = same;
  if (worst === undefined) return [];
  const { issue, place } = worst;
  const claim = same.find((placed) => placed.issue.claim !== undefined)?.issue.claim;
  const rules = same.flatMap((placed) => ('found' in placed ? [placed.found] : []));
  const [rule] = rules;
  const passes = [...new Set(issues.flatMap(({ pass }) => pass ?? []))].toSorted();
  const finding: Finding = {
    id: '',
    identity: '',
    first_identity: firstIdentityOf({ ...place, title: issue.title }),
    ...(place.anchor === null ? {} : { anchor: place.anchor }),
    severity: issue.severity,
    ...(issue.severityInferred ? { severity_inferred: true } : {}),
    title: issue.title,
    body: joinTexts(same.map((placed) => placed.issue.text)),
    ...fixOf(same, place),
    ...(claim === undefined ? {} : { claim }),
    path: place.path,
    start_line: place.startLine,
    end_line: place.endLine,
    side: place.side,
    placement: place.placement,
    ...(place.isElsewhere === true ? { outside_change: true } : {}),
    quote: place.quote,
    verdict: 'unverified',
    ...(rule === undefined ? {} : { source: sourceOf(rule) }),
    ...(passes.length === 0 ? {} : { found_by: passes }),
    ...(rules.every(({ rejectable }) => rejectable) ? {} : { rejectable: false }),
  };
  return [finding];
}

/** A replacement that cannot be used is shown as a part of the remedy, unless it contains a masked value. */
function fixOf(
  same: readonly PlacedIssue[],
  { startLine, endLine }: FindingPlace,
): Pick<Finding, 'remedy' | 'replacement' | 'replacement_unused'> {
  const proposals = same.map((placed) => ({ ...placed, ...replacementOf(placed) }));
  const used = proposals.find(
    ({ place, replacement }) =>
      replacement !== undefined && place.startLine === startLine && place.endLine === endLine,
  )?.replacement;
  const reason = proposals.find(({ replacement_unused }) => replacement_unused !== undefined);
  const remedy = joinTexts(
    proposals.flatMap(({ issue, replacement, replacement_unused: unused }) => {
      const isShown =
        replacement === undefined ? unused === 'quotation' || unused === 'unclear' : replacement !== used;
      return [issue.remedy ?? '', ...(isShown ? [renderFence(issue.replacement ?? '')] : [])];
    }),
  );
  return {
    ...(remedy === '' ? {} : { remedy }),
    ...(used === undefined ? {} : { replacement: used }),
    ...(used !== undefined || reason?.replacement_unused === undefined
      ? {}
      : { replacement_unused: reason.replacement_unused }),
  };
}

/** Joins the texts in order without duplicates. */
function joinTexts(texts: readonly string[]): string {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '').join('\n\n');
}

function compareFindings(left: Finding, right: Finding): number {
  return (
    compareSeverity(left.severity, right.severity) ||
    Number(left.path === null) - Number(right.path === null) ||
    compareTexts(left.path ?? '', right.path ?? '') ||
    (left.start_line ?? 0) - (right.start_line ?? 0) ||
    compareTexts(left.title, right.title) ||
    compareTexts(left.quote ?? '', right.quote ?? '')
  );
}

/** Uses no locale, so that the order is the same on every machine. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
