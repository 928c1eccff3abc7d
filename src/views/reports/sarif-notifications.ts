/** Reports why a review is not complete, and which files were not reviewed. */
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderCount, renderNumber } from '../../text/quantities.ts';
import { isWhole } from './outcome-entry.ts';
import { oneInertLine } from './plain-finding.ts';
import { pathInside } from '../../text/path-inside.ts';
import { artifactOf } from './sarif-result.ts';
import { renderSecondOpinion } from './second-opinion.ts';
import { filesWith, summarise, type ReportedFile } from './summary.ts';

export interface SarifNotification {
  readonly descriptor: { readonly id: string };
  readonly level: 'error' | 'note';
  readonly message: { readonly text: string };
  readonly locations?: readonly object[];
}

export function notificationsOf(report: ReviewResult, mostResults: number): readonly SarifNotification[] {
  const leftOut = report.findings.length - mostResults;
  return [
    ...outcomeNotifications(report),
    ...renderSecondOpinion(report).map((line) => notification('second_opinion', 'note', line)),
    ...summarise(report).known.map((line) => notification('known_before', 'note', line)),
    ...summarise(report).covered.map((line) => notification('secret_covered', 'note', line)),
    ...filesWith(report, 'failed').map((file) => fileNotification(file, 'file_not_reviewed', 'error')),
    ...filesWith(report, 'skipped').map((file) => fileNotification(file, 'file_skipped', 'note')),
    ...(leftOut > 0
      ? [
          notification(
            'results_left_out',
            'error',
            `${renderCount(leftOut, 'finding')} left out: hosts take no more than ${renderNumber(mostResults)}`,
          ),
        ]
      : []),
  ];
}

/** Puts the outcome first, then each reason under its own code. For a complete review the outcome is a note. */
function outcomeNotifications(report: ReviewResult): readonly SarifNotification[] {
  const level = isWhole(report) ? 'note' : 'error';
  const { headline, coverage } = summarise(report);
  const outcome = report.state === 'ended' ? (report.outcome ?? 'no_review') : 'not_finished';
  return [
    notification(`outcome_${outcome}`, level, `Code review: ${headline}. ${coverage}.`),
    ...report.reasons.map((reason) => {
      const [, code = 'reason', sentence = reason] = /^([a-z_]+): ([^]*)$/.exec(reason) ?? [];
      return notification(code, level, sentence);
    }),
  ];
}

function fileNotification(
  { path, reason = 'no reason given' }: ReportedFile,
  id: string,
  level: SarifNotification['level'],
): SarifNotification {
  const verb = id === 'file_skipped' ? 'skipped' : 'not reviewed';
  return {
    ...notification(id, level, `${path} was ${verb}: ${reason}`),
    ...(pathInside(path) === null
      ? {}
      : { locations: [{ physicalLocation: { artifactLocation: artifactOf(path) } }] }),
  };
}

function notification(id: string, level: SarifNotification['level'], text: string): SarifNotification {
  return { descriptor: { id }, level, message: { text: oneInertLine(text) } };
}
