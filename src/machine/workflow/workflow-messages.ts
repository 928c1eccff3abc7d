/** The messages to the lead at each turn of the workflow. */
import { renderWorkOrder } from '../../prompts/lead/work-order.ts';
import type { LeadMessage, SettleDecision } from '../../prompts/lead/lead-message.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { requestTagOf } from '../lead/read-lead-text.ts';
import { renderFixOrder } from '../../prompts/lead/fix-order.ts';
import {
  briefOf,
  consultsLeft,
  openFindings,
  unansweredFixes,
  type WorkflowContext,
} from './workflow-context.ts';

export function draftMessage(context: WorkflowContext): LeadMessage {
  const { objection } = context;
  const { phase } = context.pass.at;
  if (phase === 'implementation') throw new RangeError('the implementation is not drafted');
  return { kind: 'draft', phase, brief: briefOf(context), objection };
}

export function implementMessage(context: WorkflowContext): LeadMessage {
  const { fix } = context.workflow;
  if (fix !== null && context.reviews.length === 0) {
    return { kind: 'fix', brief: briefOf(context), order: renderFixOrder(fix), ids: fix.map(({ id }) => id) };
  }
  return {
    kind: 'implement',
    brief: briefOf(context),
    workOrder: workOrderOf(context),
    consults: context.workflow.skill.limits.consults,
  };
}

/** Returns the message for a draft without its request, or with that of another phase. */
export function correctionMessage({ pass: { at, reading } }: WorkflowContext): LeadMessage {
  const wanted = requestTagOf(at.phase);
  return reading.kind === 'wrong_request'
    ? { kind: 'wrong_request', sent: reading.sent, wanted }
    : { kind: 'request_absent', wanted };
}

export function spentMessage({ workflow }: WorkflowContext): LeadMessage {
  return { kind: 'consults_spent', limit: workflow.skill.limits.consults };
}

/** Returns the message after a consult in the middle of the implementation. */
export function adviceMessage(context: WorkflowContext): LeadMessage {
  const { advice, exchange } = context.pass;
  if (advice !== null) return { kind: 'advice', advice, left: consultsLeft(context) };
  return { kind: 'no_advice', reason: exchange?.detail ?? null };
}

export function settleMessage({ pass }: WorkflowContext, decision: SettleDecision): LeadMessage {
  const { at, advice } = pass;
  const { phase } = at;
  if (phase !== 'requirements' && phase !== 'design')
    throw new RangeError(`${phase} is not settled by words`);
  return { kind: 'settle', phase, advice, decision };
}

/** Returns the message for a lead that did not answer about every finding to fix. */
export function unansweredMessage(context: WorkflowContext): LeadMessage {
  return { kind: 'fix_unanswered', ids: unansweredFixes(context) };
}

/**
 * Returns the work order without minor findings, unless they are to be fixed: they stay in the report and never cause
 * another round.
 */
function workOrderOf({ reviews, fixes }: WorkflowContext): string | null {
  const last = reviews.at(-1);
  if (last === undefined) return null;
  const open = new Set(openFindings({ reviews, fixes }));
  return renderWorkOrder(
    last.output.merged.findings.filter(
      (finding) => open.has(finding) || (finding.severity !== 'minor' && countsInOutcome(finding)),
    ),
  );
}
