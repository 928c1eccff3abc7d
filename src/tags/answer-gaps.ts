/** The gaps of the answer form: prompts print them, and parsers refuse a section that contains nothing else. */

/** Replaces the text of a section. */
export const textGap = '…';

/** Replace the parts of an item of `ISSUES`. */
export const issueGaps = {
  title: '<what is wrong, in one sentence>',
  place: '<path>:<line>',
  quote: '<one to five lines copied from the change>',
  claim: '<one class>',
  why: '<what happens, and when>',
  fix: '<what to write instead>',
  replacement: '<these copied lines as they should be>',
} as const;

const angled: ReadonlySet<string> = new Set(Object.values(issueGaps).map(bare));

/** Returns true if every nonblank line of the text is a gap; false for an empty text. */
export function isGap(text: string): boolean {
  const lines = text.split(/[\r\n]+/).map(bare);
  const filled = lines.filter((line) => line !== '');
  return filled.length > 0 && filled.every((line) => /^[.…‥。・]+$/u.test(line) || angled.has(line));
}

/** Strips a bullet, a number, emphasis, backticks and the surrounding space. */
function bare(line: string): string {
  return line
    .replaceAll(/[*_`]/g, '')
    .replace(/^\s*(?:[-+•]|\d{1,9}[.)])\s+/, '')
    .trim();
}
