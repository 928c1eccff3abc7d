/** What a person or the caller answers at a gate, in one or more lines. */
import { phases, type Phase } from '../tags/tags.ts';

export type GateAnswer =
  | { readonly kind: 'approve'; readonly comment: string | null }
  /** `phase` is null where the answer names none: then the phase at hand is meant. */
  | { readonly kind: 'revise'; readonly phase: Phase | null; readonly comment: string }
  | { readonly kind: 'stop'; readonly comment: string | null };

/** As a JSON Schema `pattern`: what `readGateAnswer` takes begins so. */
export const gateAnswerPattern = String.raw`^\s*([Aa]pprove|[Rr]evise|[Ss]top)\b`;

/** `approve`, `revise: what to change`, `revise requirements: …`, `stop`; null for anything else. */
export function readGateAnswer(text: string): GateAnswer | null {
  const read = /^\s*(approve|revise|stop)\b(?:[ \t]+([a-z]+))?[ \t]*[:.,]?\s*([\s\S]*)$/i.exec(text);
  if (read === null) return null;
  const [, word = '', named, rest = ''] = read;
  const phase = phases.find((candidate) => candidate === named?.toLowerCase()) ?? null;
  const words = (phase === null ? `${named ?? ''} ${rest}` : rest).trim();
  const comment = words === '' ? null : words;
  switch (word.toLowerCase()) {
    case 'approve':
      return { kind: 'approve', comment };
    case 'stop':
      return { kind: 'stop', comment };
    default:
      return comment === null ? null : { kind: 'revise', phase, comment };
  }
}
