import type { DiffFile } from '../diff/types.ts';
import { looksLikePath } from '../issues/issue-location.ts';

/** The names in a request: an answer about the same subject names one of them. */
export interface RequestNames {
  /** Whole paths and their last parts. */
  readonly paths: ReadonlySet<string>;
  readonly symbols: ReadonlySet<string>;
}

export function namesOfRequest(texts: readonly string[], change: readonly DiffFile[]): RequestNames {
  const changed = change.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]));
  const named = texts.flatMap((text) => text.match(/[\w@./+-]+/g) ?? []).filter(looksLikePath);
  const code = change.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text }) => text)));
  return {
    paths: new Set(
      [...changed, ...named.map((path) => path.replace(/^[./]+|[.]+$/g, ''))].flatMap(withFileName),
    ),
    // Computed on demand: a large change has many, and an answer that names a path does not need them.
    get symbols() {
      return new Set([...texts, ...code].flatMap(symbolsIn));
    },
  };
}

/** Returns true if the text contains one of the paths or symbols. */
export function namesAny(text: string, names: RequestNames): boolean {
  if ([...names.paths].some((path) => text.includes(path))) return true;
  const words = new Set(text.match(/[\w$]+/g));
  return [...names.symbols].some((symbol) => words.has(symbol));
}

function withFileName(path: string): readonly string[] {
  const fileName = path.split('/').at(-1) ?? '';
  return [path, fileName].filter((name) => name.length > 3);
}

/** Finds identifiers that prose would not contain by chance: `camelCase`, `snake_case`, `Pascal2`, or in backticks. */
function symbolsIn(text: string): readonly string[] {
  const spoken = [...text.matchAll(/`([A-Za-z_$][\w$]{2,})(?:\(\))?`/g)].map((match) => match[1] ?? '');
  const written = text.match(/[A-Za-z_$][\w$]{3,}/g) ?? [];
  return [...spoken, ...written.filter((word) => /[a-z0-9][A-Z]|\w_\w|[A-Za-z]\d|\$/.test(word))];
}
