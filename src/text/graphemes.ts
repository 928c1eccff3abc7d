import { LazySegmenter } from './lazy-segmenter.ts';

export interface Grapheme {
  readonly segment: string;
  /** The position of its first code unit. */
  readonly index: number;
}

const segmenter = new LazySegmenter();

/** V8's segmenter is quadratic in the length of the text: 7 s for 30,000 characters. */
const windowLength = 256;

/** Yields the graphemes of a text. Their rules are loaded on first use: 8 ms, a fifth of the time to start Node. */
export function* graphemesOf(text: string): Generator<Grapheme, void> {
  let length = windowLength;
  for (let start = 0; start < text.length;) {
    const end = wholeCharacters(text, start + length);
    const segments = [...segmenter.segment(text.slice(start, end))];
    // The last one may continue behind the window.
    const whole = end < text.length ? segments.slice(0, -1) : segments;
    for (const { segment, index } of whole) yield { segment, index: start + index };
    const read = whole.reduce((sum, { segment }) => sum + segment.length, 0);
    length = read === 0 ? 2 * length : windowLength;
    start += read;
  }
}

/** Returns the end of a window, behind the pair of surrogates that it would cut. */
function wholeCharacters(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd8_00 && unit <= 0xdb_ff ? end + 1 : end;
}
