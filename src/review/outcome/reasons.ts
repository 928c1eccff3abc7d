/** The reasons for an outcome: a closed set for programs, a sentence for users. */
import type { ExchangeCause } from './coverage.ts';

export const reasonCodes = [
  'no_findings',
  'findings_at_threshold',
  'findings_below_threshold',
  'static_checks_only',
  'nothing_changed',
  'nothing_reviewable',
  'no_model_reviewer',
  'lines_not_shown',
  'file_unreadable',
  'text_too_long',
  'file_hidden',
  'rules_failed',
  'second_opinion_missing',
  'protocol_exhausted',
  'time_spent',
  'budget_spent',
  'prompt_too_long',
  'agent_missing',
  'agent_login',
  'agent_quota',
  'agent_model',
  'agent_options',
  'agent_overloaded',
  'agent_unreachable',
  'agent_silent',
  'agent_died',
  'internal_fault',
  'rounds_spent',
  'not_converging',
  'nothing_implemented',
  'without_advice',
  'not_applied',
  'no_review',
  'stopped',
  'cancelled',
  'not_finished',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

export interface Reason {
  readonly code: ReasonCode;
  /** A sentence without its full stop. */
  readonly text: string;
}

/** Renders a reason for `result.json` and `run.ended`: programs read up to the colon. */
export function renderReason({ code, text }: Reason): string {
  return `${code}: ${text}`;
}

/** Returns the text after the colon, for users. */
export function sentenceOf(reason: string): string {
  return reason.replace(/^[a-z_]+: /, '');
}

/** Describes a failure on one line, followed by the remedy. */
export function tellFailure({
  detail,
  hint,
}: {
  readonly detail: string;
  readonly hint: string | null;
}): string {
  const said = detail.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return hint === null || hint === '' ? said : `${said}; ${hint}`;
}

/** The reason for each cause of an unsettled exchange, without the exchange's name. */
export const unsettledReasons: Readonly<Record<ExchangeCause, Reason>> = {
  protocol: { code: 'protocol_exhausted', text: 'the advisor did not answer in the agreed form' },
  time: { code: 'time_spent', text: 'the time was over before a whole answer came' },
  budget: { code: 'budget_spent', text: 'the budget was spent before a whole answer came' },
  context: { code: 'prompt_too_long', text: 'the advisor takes no prompt of this length' },
  cli_missing: { code: 'agent_missing', text: 'the advisor is not installed or is too old' },
  auth: { code: 'agent_login', text: 'the advisor is not logged in' },
  quota: { code: 'agent_quota', text: "the advisor's quota is used up" },
  model: { code: 'agent_model', text: 'the advisor does not have the model that was asked for' },
  options: { code: 'agent_options', text: 'the advisor refused the request' },
  silent: { code: 'agent_silent', text: "the advisor's model sent no byte of an answer" },
  overloaded: { code: 'agent_overloaded', text: 'the advisor stayed overloaded' },
  unreachable: { code: 'agent_unreachable', text: "the advisor's model could not be reached" },
  died: { code: 'agent_died', text: 'the advisor ended without an answer' },
  internal: { code: 'internal_fault', text: 'a fault of collab itself' },
};
