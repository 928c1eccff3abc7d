/** Colors the code of one file's change, and marks the words that changed, outside of the page's own thread. */
import { common, createLowlight } from 'lowlight';
import { markEdits, tokenize, type HunkData, type HunkTokens } from 'react-diff-view';
import type { ColorRequest } from './code-colors.ts';

const lowlight = createLowlight(common);

/** The diff view calls a highlighter the way that another library is called. */
const highlighter = {
  highlight: (code: string, language: string) => lowlight.highlight(language, code).children,
};

addEventListener('message', ({ data: { id, hunks, extension } }: MessageEvent<ColorRequest>) => {
  postMessage({ id, tokens: colored(hunks, extension) });
});

/** A grammar may fail on code that is not of its language: the lines then stay plain. */
function colored(hunks: HunkData[], extension: string): HunkTokens | null {
  const enhancers = [markEdits(hunks, { type: 'block' })];
  try {
    if (!lowlight.registered(extension)) return tokenize(hunks, { enhancers });
    return tokenize(hunks, { highlight: true, refractor: highlighter, language: extension, enhancers });
  } catch {
    return null;
  }
}
