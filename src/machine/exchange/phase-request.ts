/** Builds the request of a consult from the lead's text. */
import type { SettledPhase } from '../../prompts/lead-message.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
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
    required: [{ title: 'The task, in the words of the user', text: task, origin: 'trusted' }],
    optional: settled.map((earlier) => ({
      title: `What the phase of ${earlier.phase} came to`,
      text: earlier.text,
      origin: 'trusted',
    })),
    change: null,
    language,
  };
}
