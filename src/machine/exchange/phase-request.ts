/** The request of a consult, out of what the lead wrote. */
import type { SettledPhase } from '../../prompts/lead-message.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import { exchangeSpecOfPhase, type Phase, type SectionSpec } from '../../tags/tags.ts';

export interface PhaseRequestInput {
  readonly phase: Phase;
  /** The lead's words under its tag. */
  readonly text: string;
  /** In the words of the user. */
  readonly task: string;
  readonly settled: readonly SettledPhase[];
  /** Sections that a skill requires besides the protocol's own. */
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
