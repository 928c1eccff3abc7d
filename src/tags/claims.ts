/** The closed set of claim classes: the kind of damage that a review issue is about. */
export const claimClasses = [
  'correctness',
  'security',
  'data_loss',
  'concurrency',
  'performance',
  'compatibility',
  'error_handling',
  'tests',
  'clarity',
] as const;
export type ClaimClass = (typeof claimClasses)[number];

/** Reads one class and nothing else: `Data loss`, `**security**`; null for any other text. */
export function readClaimClass(text: string): ClaimClass | null {
  const word = text
    .replaceAll(/^[\s*_`"'[(]+|[\s*_`"'\]).]+$/g, '')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');
  return claimClasses.find((claim) => claim === word) ?? null;
}
