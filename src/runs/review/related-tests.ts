/** Finds the tests of changed files that the change does not touch, in the state under review. */
import type { NewTexts } from '../../git/change/resolve-change.ts';
import type { RelatedFile } from '../../prompts/review/related-files.ts';
import { testPathsOf } from '../../review/census/test-names.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';

export interface RelatedTests {
  readonly newTexts: NewTexts;
  readonly found: () => readonly RelatedFile[];
}

/** More files are too many to test by hand; their tests would not fit into the requests. */
const mostFiles = 200;
/** Characters of one test that are read; a request shows less. */
const mostCharacters = 64 * 1024;

export function findRelatedTests(): RelatedTests {
  const subjects = new Map<string, string>();
  const texts = new Map<string, string>();
  return {
    newTexts: {
      paths({ changed }) {
        const all = new Set(changed.map(({ path }) => path));
        for (const { path, isGone } of changed.slice(0, mostFiles)) {
          if (isGone) continue;
          for (const test of testPathsOf(path))
            if (!all.has(test) && !subjects.has(test)) subjects.set(test, path);
        }
        return [...subjects.keys()];
      },
      take(path, text) {
        if (text !== null && !text.includes('\0')) texts.set(path, text);
      },
    },
    found: () =>
      [...texts].map(([path, text]) => ({
        path,
        of: subjects.get(path) ?? path,
        // Half a secret would not be recognized.
        text: maskSecrets(text.slice(0, mostCharacters * 2)).text.slice(0, mostCharacters),
      })),
  };
}
