/** Splits texts into graphemes as `Intl.Segmenter` does; its tables, which take as long as half of Node's start, are loaded with the first text. */
export class LazySegmenter {
  #segmenter: Intl.Segmenter | undefined;

  segment(text: string): Intl.Segments {
    this.#segmenter ??= new globalThis.Intl.Segmenter();
    return this.#segmenter.segment(text);
  }
}
