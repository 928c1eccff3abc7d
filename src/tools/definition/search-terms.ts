/**
 * Splits a text into the words by which tools are found: identifiers in their parts, Chinese and Japanese in pairs of
 * characters.
 */
export function searchTerms(text: string): string[] {
  const normal = text.normalize('NFKC');
  return [...normal.matchAll(run)].flatMap(([letters]) =>
    isEastAsian(letters) ? pairs(letters) : parts(letters),
  );
}

const eastAsian = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const run = new RegExp(String.raw`${eastAsian}+|(?:(?!${eastAsian})[\p{L}\p{M}\p{N}])+`, 'gu');
const onlyEastAsian = new RegExp(`^${eastAsian}`, 'u');

function isEastAsian(letters: string): boolean {
  return onlyEastAsian.test(letters);
}

function pairs(letters: string): readonly string[] {
  const each = Array.from(letters);
  return each.length === 1 ? each : each.slice(1).map((letter, index) => `${each[index]}${letter}`);
}

/** `getHTTPStatus2` → get http status 2, and the whole identifier. */
function parts(letters: string): readonly string[] {
  const split = letters
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .split(' ');
  return split.length === 1 ? split : [...split, letters.toLowerCase()];
}
