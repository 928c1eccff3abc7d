import { capitalize } from '../../../src/client/run-events.ts';

/** Begins a sentence of the server with a capital, unless its first word is a path, a name or code. */
export function sentenceCase(sentence: string): string {
  return /^[a-z]+(?=[\s,]|$)/.test(sentence) ? capitalize(sentence) : sentence;
}
