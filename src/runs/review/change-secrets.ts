/** A change as it is kept: masked, with the kinds and places of the masked parts and what rules report of them. */
import { z } from 'zod';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import { maskHunk } from '../../providers/static_review/mask-hunk.ts';
import { coveredSecretSchema } from '../../review/outcome/result.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { kindsOf } from '../../secrets/text-range.ts';

export const changeSecretsSchema = z.object({
  covered: z.array(coveredSecretSchema),
  /** Secrets on added lines. */
  reported: z.array(
    z.object({
      rule: z.string(),
      severity: z.enum(['critical', 'important']),
      rejectable: z.enum(['never', 'quoted_code']),
      path: z.string(),
      /** 1-based, on the new side. */
      line: z.int().positive(),
    }),
  ),
});
/** Never contains the secrets themselves. */
export type ChangeSecrets = z.infer<typeof changeSecretsSchema>;

interface MaskedChange {
  readonly diff: string;
  readonly secrets: ChangeSecrets;
}

/** Masking keeps the length of every line, so both texts have the same line lengths. */
export function maskChange(diff: string): MaskedChange {
  const masked = maskSecrets(diff).text;
  if (masked === diff) return { diff, secrets: { covered: [], reported: [] } };
  const files = parseUnifiedDiff(diff).files;
  const pairs = parseUnifiedDiff(masked).files.flatMap((file, index) => {
    const original = files[index];
    return original === undefined ? [] : [{ file, original }];
  });
  const covered = pairs.flatMap(({ file, original }) => coveredIn(original, file));
  const reported = pairs.flatMap(({ file, original }) => reportedIn(original, file));
  return { diff: masked, secrets: { covered, reported } };
}

/** Places use the masked path: a path may contain a secret, too. */
function reportedIn(original: DiffFile, { path }: DiffFile): ChangeSecrets['reported'] {
  return original.hunks.flatMap((hunk) =>
    maskHunk(original.path, hunk).secrets.flatMap(({ line, secret: { rule, severity, rejectable } }) =>
      line.newLine === null ? [] : [{ rule, severity, rejectable, path, line: line.newLine }],
    ),
  );
}

function coveredIn(original: DiffFile, masked: DiffFile): ChangeSecrets['covered'] {
  const lines = linesOf(masked);
  const changed = linesOf(original).filter((line, at) => lines[at]?.text !== line.text);
  return changed.flatMap((line) => coveredOn(line, masked));
}

function coveredOn(line: DiffLine, file: DiffFile): ChangeSecrets['covered'] {
  const { found } = maskSecrets(line.text);
  // A single line of a private key cannot be recognized.
  const rules = found.length === 0 ? ['private_key'] : kindsOf(found);
  const isOld = line.newLine === null;
  return rules.map((rule) => ({
    in: 'change',
    rule,
    path: isOld ? (file.oldPath ?? file.path) : file.path,
    side: isOld ? 'old' : 'new',
    line: isOld ? line.oldLine : line.newLine,
    exchange: null,
  }));
}

function linesOf({ hunks }: DiffFile): readonly DiffLine[] {
  return hunks.flatMap(({ lines }) => lines);
}

/** Returns the secrets in the files under review. */
export function secretsWithin(files: readonly DiffFile[], secrets: ChangeSecrets): ChangeSecrets {
  const paths = new Set(files.flatMap(({ path, oldPath }) => [path, oldPath]));
  return {
    covered: secrets.covered.filter(({ path }) => paths.has(path)),
    reported: secrets.reported.filter(({ path }) => paths.has(path)),
  };
}
