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

export function phaseRequest({ text, task, settled, ...asked }: PhaseRequestInput): ConsultRequest {
  return {
    ...withoutContext(asked, text),
    required: [{ title: taskHeading, text: task, origin: 'trusted' }],
    optional: settled.map((earlier) => ({
      title: `The result of the ${earlier.phase} phase`,
      text: earlier.text,
      origin: 'trusted',
    })),
  };
}

export interface ConsultRequestInput extends Pick<PhaseRequestInput, 'phase' | 'sections' | 'language'> {
  /** The user's words. */
  readonly brief: string;
  /** The results of the conversation's earlier runs, the oldest first. */
  readonly earlier: readonly { readonly title: string; readonly text: string }[];
}

/** Builds the request of a single consult. The newest result comes first, because shortening drops from the end. */
export function consultRequest({ brief, earlier, ...asked }: ConsultRequestInput): ConsultRequest {
  return {
    ...withoutContext(asked, brief),
    optional: earlier
      .toReversed()
      .map(({ title, text }) => ({ title: `Settled before: ${title}`, text, origin: 'foreign' })),
  };
}

function withoutContext(
  { phase, sections, language }: Pick<PhaseRequestInput, 'phase' | 'sections' | 'language'>,
  question: string,
): ConsultRequest {
  const { request: tag, sections: usual } = exchangeSpecOfPhase(phase);
  return {
    tag,
    question,
    sections: [...usual, ...sections],
    required: [],
    optional: [],
    change: null,
    language,
  };
}
