/** Scans files that no rule reads for secrets, such as skipped ones. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import { foldRepeats } from './fold-repeats.ts';
import { knownHunk } from './mask-hunk.ts';
import type { RuleFinding } from './rule-finding.ts';
import type { KnownSecrets } from './scan-change.ts';
import { scanSecrets } from './scan-secrets.ts';

/** Returns the secrets. `files` are masked, and `secrets` are those that were in them. No other rule reads these files. */
export function secretsInFiles(files: readonly DiffFile[], secrets: KnownSecrets): readonly RuleFinding[] {
  const paths = new Set(secrets.map(({ path }) => path));
  const findings = files
    .filter(({ path }) => paths.has(path))
    .flatMap(({ path, hunks }) => hunks.flatMap((hunk) => scanSecrets(path, knownHunk(path, hunk, secrets))));
  return foldRepeats(findings);
}
