/** Decides for each finding that should be fixed whether it is gone. */
import { z } from 'zod';
import { severities } from '../../tags/severities.ts';
import type { Finding } from '../../events/collab-event.ts';
import { linesOfText } from './anchor-line.ts';
import { lacksAnchor, matchFindings } from './match-findings.ts';

export const fixFates = [
  /** Its line is gone, and the review did not report it again. */
  'fixed',
  /** The lead says that it is fixed, and the review did not report it again, but its line is still there. */
  'not_seen_again',
  /** The review reported it again. */
  'still_there',
  /** The lead refused to fix it. */
  'refused',
  /** The lead said nothing about it, and its line is still there. */
  'unanswered',
] as const;

export const judgedFixSchema = z.object({
  /** The id in the result that the finding is from. */
  id: z.string(),
  identity: z.string(),
  severity: z.enum(severities),
  title: z.string(),
  path: z.string().nullable(),
  start_line: z.int().positive().nullable(),
  fate: z.enum(fixFates),
  /** The lead's reason; null unless it refused. */
  reason: z.string().nullable(),
  /** The id of the finding that the new review reported for it; null if it reported none. */
  now: z.string().nullable(),
});
export type JudgedFix = Readonly<z.infer<typeof judgedFixSchema>>;

export interface FixesToJudge {
  readonly chosen: readonly Finding[];
  /** The answers of the lead. */
  readonly answers: readonly {
    readonly id: string;
    readonly says: 'fixed' | 'refused';
    readonly reason: string;
  }[];
  /** The findings of the review of the fix. */
  readonly reported: readonly Finding[];
  /** The text of a file after the fix; null if there is none. */
  readonly texts: ReadonlyMap<string, string | null>;
}

export function judgeFixes({ chosen, answers, reported, texts }: FixesToJudge): readonly JudgedFix[] {
  const again = new Map(
    matchFindings(chosen, reported).map(({ former, present }) => [former.id, present.id]),
  );
  const said = new Map(answers.map((answer) => [answer.id, answer]));
  return chosen.map((finding) => {
    const { id, identity, severity, title, path, start_line } = finding;
    const answer = said.get(id);
    const now = again.get(id) ?? null;
    const isGone = path !== null && isLineGone(finding, texts.get(path) ?? null);
    const reason = answer?.says === 'refused' ? answer.reason : null;
    const fate = fateOf({
      refused: reason !== null,
      answered: answer !== undefined,
      again: now !== null,
      isGone,
    });
    return { id, identity, severity, title, path, start_line, fate, reason, now };
  });
}

function fateOf(facts: {
  readonly refused: boolean;
  readonly answered: boolean;
  readonly again: boolean;
  readonly isGone: boolean;
}): JudgedFix['fate'] {
  if (facts.refused) return 'refused';
  if (facts.again) return 'still_there';
  if (facts.isGone) return 'fixed';
  return facts.answered ? 'not_seen_again' : 'unanswered';
}

function isLineGone(finding: Finding, text: string | null): boolean {
  return lacksAnchor(finding, new Set(linesOfText(text)));
}
