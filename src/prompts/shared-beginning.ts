/** Measures how much of its requests a review repeats: vendors charge less for a beginning that they have seen before. */
import { measuringNonce } from './fence.ts';
import { renderRequest } from './render-request.ts';
import type { ConsultRequest } from './request.ts';

export interface SharedBeginning {
  /** The characters with which every request of the review begins, in every run. */
  readonly characters: number;
  /** The part of it in the text before the change, from 0 to 1; the lowest of all requests. */
  readonly share: number;
}

/** Returns null if there is no request. */
export function sharedBeginning(requests: readonly ConsultRequest[]): SharedBeginning | null {
  const [first] = requests;
  if (first === undefined) return null;
  const texts = requests.map((request, index) => beforeChange(request, index + 1));
  // Index 0: the first request in another run, with other nonces.
  const others = [beforeChange(first, 0), ...texts.slice(1)];
  const characters = Math.min(...others.map((text) => equalLength(texts[0] ?? '', text)));
  return { characters, share: characters / Math.max(...texts.map(({ length }) => length)) };
}

/** Renders a request without its change. The nonces of the indexes 0 and 1 differ in their first character. */
function beforeChange(request: ConsultRequest, index: number): string {
  const nonce = index.toString(16).padEnd(measuringNonce.length, '0');
  const options = { budgetCharacters: null, nonce, closing: nonce };
  return renderRequest({ ...request, change: null }, options).text;
}

function equalLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}
