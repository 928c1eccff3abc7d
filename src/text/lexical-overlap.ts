/** Words in every English text and every answer of the protocol. */
const commonWords = new Set(
  `a about above after again all also an and any are as at be because been before being between both but by can
  could did do does each for from further get given good had has have here how however i if in into is it its just
  like made make may me might more most must my need never no none not now of off on once one only or other our out
  over own per same see should since so some such than that the their them then there these they this those through
  to too under until up use used uses using very was we well were what when where whether which while who why will
  with without would yet you your answer assessment advice alternatives caveats change code considerations critical
  fix important issue issues line lines minor patterns recommendation response review risks strengths suggestions`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** BM25's usual saturation: how much less a second occurrence adds than the first. */
const saturation = 1.2;

/**
 * Returns the share of the answer's distinct words that occur in the request, 0 to 1; a word that is frequent there
 * weighs more.
 */
export function lexicalOverlap(answer: string, request: string): number {
  const known = new Map<string, number>();
  for (const word of contentWords(request)) known.set(word, (known.get(word) ?? 0) + 1);
  const words = new Set(contentWords(answer));
  if (words.size === 0) return 0;
  let sum = 0;
  for (const word of words) {
    const occurrences = known.get(word) ?? 0;
    sum += occurrences / (occurrences + saturation);
  }
  return sum / words.size;
}

/** Splits prose and code into words: identifiers in their parts, scripts without spaces in pairs of characters. */
export function contentWords(text: string): readonly string[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .flatMap(([run]) => (/[\u3040-\u30ff\u3400-\u9fff]/.test(run) ? pairsOf(run) : partsOf(run)))
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1 && !commonWords.has(word));
}

function partsOf(identifier: string): readonly string[] {
  return identifier.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
