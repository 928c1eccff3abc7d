import { findSecrets, mightHoldSecret } from './find-secrets.ts';
import { cover, type FoundSecret } from './text-range.ts';

export interface Masked {
  readonly text: string;
  /** Places in the given text, by position; they may overlap where two rules saw the same secret. */
  readonly found: readonly FoundSecret[];
}

/**
 * Covers secrets with stars. Length and line ends stay, so that every position stays valid; masking a masked text changes
 * nothing. Secretlint's recommended rules look too, and are loaded only for a text that might hold something.
 */
export async function maskSecrets(text: string): Promise<Masked> {
  const found = await findAll(text);
  if (found.length === 0) return { text, found };
  // Covering one secret may lay bare the next: two tokens written without a gap.
  const further = await maskSecrets(cover(text, found));
  return { text: further.text, found: [...found, ...further.found].toSorted(byPosition) };
}

async function findAll(text: string): Promise<readonly FoundSecret[]> {
  return mightHoldSecret(text) ? [...findSecrets(text), ...(await lint(text))] : [];
}

function byPosition(one: FoundSecret, other: FoundSecret): number {
  return one.start - other.start || one.end - other.end;
}

async function lint(text: string): Promise<readonly FoundSecret[]> {
  const [{ lintSource }, { rules }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const wanted = rules.filter(({ meta }) => !unwanted.includes(meta.id));
  const { messages } = await lintSource({
    source: { content: text, filePath: 'text', ext: '', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: { rules: wanted.map((rule) => ({ id: rule.meta.id, rule })) },
    },
  });
  return messages.flatMap(({ range: [start, end], ruleId }) =>
    /[^\s*]/.test(text.slice(start, end))
      ? [{ start, end, rule: ruleId.replace(/^.*secretlint-rule-/, '') }]
      : [],
  );
}

/**
 * `filter-comments` would let a comment in foreign text switch the search off. `aws` reports forty characters from the name
 * instead of the value (11.7.1), `privatekey` misses keys in a diff and covers whole programs that mention both markers,
 * `basicauth` and `database-connection-string` cover whole addresses where the password is the secret: ours do these.
 */
const unwanted = ['filter-comments', 'aws', 'privatekey', 'basicauth', 'database-connection-string'].map(
  (name) => `@secretlint/secretlint-rule-${name}`,
);
