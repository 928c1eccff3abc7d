/** Reads the request in the lead's final text, against the current phase (X001-17). */
import { readOutgoing } from '../../parsers/answers/read-outgoing.ts';
import { exchangeSpecOfPhase, type Phase, type RequestTag } from '../../tags/tags.ts';

export type LeadReading =
  /** The phase's own request, with its text. */
  | { readonly kind: 'request'; readonly text: string }
  | { readonly kind: 'wrong_request'; readonly sent: RequestTag }
  | { readonly kind: 'no_request' };

export function readLeadText(text: string, phase: Phase): LeadReading {
  const outgoing = readOutgoing(text);
  if (outgoing === null) return { kind: 'no_request' };
  if (outgoing.tag !== requestTagOf(phase)) return { kind: 'wrong_request', sent: outgoing.tag };
  return { kind: 'request', text: outgoing.text === '' ? text : outgoing.text };
}

export function requestTagOf(phase: Phase): RequestTag {
  return exchangeSpecOfPhase(phase).request;
}
