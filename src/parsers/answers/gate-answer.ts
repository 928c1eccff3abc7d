/** The answer of the user or the caller at a gate, in one or more lines. */
import { phases, type Phase } from '../../tags/tags.ts';

export type GateAnswer =
  | { readonly kind: 'approve'; readonly comment: string | null }
  /** `phase` is null if the answer names none: then the current phase is meant. */
  | { readonly kind: 'revise'; readonly phase: Phase | null; readonly comment: string }
  | { readonly kind: 'stop'; readonly comment: string | null };

/**
 * Returns a JSON Schema `pattern` for exactly the answers that `readGateAnswer` accepts at the gate of a phase. A later
 * phase cannot be revised, and `revise` needs a comment. The run can continue with any recorded answer.
 */
export function gateAnswerPattern(phase: Phase): string {
  const later = phases.slice(phases.indexOf(phase) + 1);
  const says = String.raw`(?![ \t]*[:.,]?\s*$)(?![ \t]+(?:${anyOf(phases)})[ \t]*[:.,]?\s*$)`;
  const notLater = later.length === 0 ? '' : String.raw`(?![ \t]+(?:${anyOf(later)})(?![A-Za-z]))`;
  return String.raw`^\s*(?:(?:${anyOf(['approve', 'stop'])})\b|${anyCase('revise')}\b${says}${notLater})`;
}

/** Describes the form of an answer, after "write". */
export function gateAnswerForm(phase: Phase): string {
  const earlier = phases.slice(0, phases.indexOf(phase));
  const back = earlier.map((name) => `, revise ${name}: <what to change>`).join('');
  return `approve, revise: <what to change>${back}, or stop`;
}

/** Reads `approve`, `revise: what to change`, `revise requirements: …`, `stop`; returns null for anything else. */
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

/** Renders an answer in the form that `readGateAnswer` reads. */
export function renderGateAnswer({ kind, comment, ...answer }: GateAnswer): string {
  const word = 'phase' in answer && answer.phase !== null ? `${kind} ${answer.phase}` : kind;
  return comment === null ? word : `${word}: ${comment}`;
}

function anyOf(words: readonly string[]): string {
  return words.map(anyCase).join('|');
}

/** Matches a word in any case: the pattern of a JSON Schema has no flags. */
function anyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}
