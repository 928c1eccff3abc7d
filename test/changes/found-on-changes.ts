/** The findings of the rules on the real changes, each at a place that can be judged once and found again. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../src/parsers/diff/types.ts';
import { newFile } from '../../src/providers/static_review/change.test-helper.ts';
import type { RuleFinding } from '../../src/providers/static_review/rule-finding.ts';
import { scanChange } from '../../src/providers/static_review/scan-change.ts';
import { takeCensus } from '../../src/review/census/census.ts';
import { everything } from '../../src/review/census/selection.ts';
import { aliasOf, installedReleases, releaseDifferences, releasedFile } from './differences.ts';
import { releasedPackages, type ReleasedPackage } from './releases.ts';

/** A change that the rules read with the whole files. */
export interface ReadableChange {
  /** The package, which is the same for all its changes: a finding in several of them is judged once. */
  readonly packageName: string;
  readonly name: string;
  readonly files: readonly DiffFile[];
  readonly headOf: (path: string) => string | null;
  readonly isImport: boolean;
}

export interface PlacedFinding {
  readonly rule: string;
  /** A digest of the package, the path, the quoted lines and their number among equal ones. */
  readonly place: string;
  readonly finding: RuleFinding;
  readonly where: string;
}

/** Findings of these rules are only judged in the differences: the packages hold hundreds. */
const differencesOnly = ['todo-comment'];

/** Yields the differences of releases, and the newest release of each package as a change that adds all its texts. */
export function* readableChanges(): Generator<ReadableChange> {
  for (const { name, diff, after } of releaseDifferences()) {
    const packageName = name.split(' ')[0] ?? name;
    const files = reviewable(parseUnifiedDiff(diff).files);
    yield { packageName, name, files, headOf: (path) => after(path) || null, isImport: false };
  }
  for (const released of releasedPackages) yield importOf(released);
}

/** Returns the findings of all rules. */
export async function findingsOn({
  packageName,
  name,
  files,
  headOf,
  isImport,
}: ReadableChange): Promise<readonly PlacedFinding[]> {
  const found = await scanChange(files, new AbortController().signal, { rules: 'all', headOf });
  const seen = new Map<string, number>();
  return found
    .filter(({ rule }) => !isImport || !differencesOnly.includes(rule.name))
    .map((finding) => {
      const quote = finding.quote.map((line) => line.trim().replace(/\s+/g, ' ')).join('\n');
      const text = [finding.rule.name, packageName, finding.path, quote].join('\0');
      const number = (seen.get(text) ?? 0) + 1;
      seen.set(text, number);
      const place = createHash('sha256').update(`${text}\0${number}`).digest('hex').slice(0, 12);
      return {
        rule: finding.rule.name,
        place,
        finding,
        where: `${name}: ${finding.path}:${finding.startLine}`,
      };
    });
}

function importOf({ name, runs }: ReleasedPackage): ReadableChange {
  const version = runs.at(-1)?.at(-1) ?? '';
  const folder = join(installedReleases, aliasOf(name, version));
  const texts = pathsIn(folder).map((path) => [path, releasedFile(name, version, path)] as const);
  const files = reviewable(
    texts
      .filter(([, text]) => text !== '' && !text.includes('\0'))
      .map(([path, text]) => newFile(path, text)),
  );
  return {
    packageName: name,
    name: `${name} ${version}, imported`,
    files,
    headOf: () => null,
    isImport: true,
  };
}

function reviewable(files: readonly DiffFile[]): readonly DiffFile[] {
  return takeCensus({ files, preamble: [], faults: [] }, everything).reviewable;
}

function pathsIn(folder: string, within = ''): readonly string[] {
  return readdirSync(join(folder, within))
    .toSorted()
    .flatMap((name) => {
      const path = within === '' ? name : `${within}/${name}`;
      if (name === 'node_modules') return [];
      return statSync(join(folder, path)).isDirectory() ? pathsIn(folder, path) : [path];
    });
}
