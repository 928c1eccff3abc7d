/** Builds the request of a phase: from the lead's text within a run, or from a brief. */
import type { SettledPhase } from '../lead/lead-message.ts';
import type { ConsultRequest } from '../request.ts';
import { taskHeading } from '../task-heading.ts';
import { exchangeSpecOfPhase, type Phase, type SectionSpec } from '../../tags/tags.ts';

export interface PhaseRequestInput {
  readonly phase: Phase;
  /** The lead's text under its tag. */
  readonly text: string;
  /** The user's words. */
  readonly task: string;
  readonly settled: readonly SettledPhase[];
  /** Sections that a skill requires in addition to the protocol's own. */
  readonly sections: readonly SectionSpec[];
  readonly language: string | null;
}

export function phaseRequest({
  phase,
  text,
  task,
  settled,
  sections,
  language,
}: PhaseRequestInput): ConsultRequest {
  const spec = exchangeSpecOfPhase(phase);
  return {
    tag: spec.request,
    question: text,
    sections: [...spec.sections, ...sections],
    required: [{ title: taskHeading, text: task, origin: 'trusted' }],
    optional: settled.map((earlier) => ({
      title: `The result of the ${earlier.phase} phase`,
      text: earlier.text,
      origin: 'trusted',
    })),
    change: null,
    language,
  };
}

export interface ConsultRequestInput extends Pick<PhaseRequestInput, 'phase' | 'sections' | 'language'> {
  /** The user's words. */
  readonly brief: string;
  /** The results of the conversation's earlier runs, the oldest first. */
  readonly earlier: readonly { readonly title: string; readonly text: string }[];
}

/** Builds the request of a single consult. The newest result comes first, because shortening drops from the end. */
export function consultRequest({
  phase,
  brief,
  sections,
  earlier,
  language,
}: ConsultRequestInput): ConsultRequest {
  const spec = exchangeSpecOfPhase(phase);
  return {
    tag: spec.request,
    question: brief,
    sections: [...spec.sections, ...sections],
    required: [],
    optional: earlier
      .toReversed()
      .map(({ title, text }) => ({ title: `Settled before: ${title}`, text, origin: 'foreign' })),
    change: null,
    language,
  };
}
