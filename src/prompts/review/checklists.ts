/** The checklists of a review: failures that reviewers miss in a language. Which apply to a chunk, and their texts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { changedLinesOf, countLines } from '../../parsers/diff/ranges.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { familyOf, languageFamilies, type LanguageFamily } from '../../parsers/languages/language.ts';
import { readText } from '../../system/files/read.ts';
import { packageFolder } from '../../system/package-folder.ts';

/** Checklists of a project, by name; an empty text turns one off. */
export type ChecklistTexts = Readonly<Partial<Record<LanguageFamily, string>>>;

export interface Checklist {
  readonly name: LanguageFamily;
  /** The language, for a heading. */
  readonly title: string;
  readonly text: string;
  /** `project`: the project's own words, which are fenced. */
  readonly origin: 'shipped' | 'project';
}

const titles: Readonly<Record<LanguageFamily, string>> = {
  typescript: 'TypeScript and JavaScript',
  python: 'Python',
  go: 'Go',
  java: 'Java and Kotlin',
  rust: 'Rust',
  c: 'C and C++',
  csharp: 'C#',
  ruby: 'Ruby',
  php: 'PHP',
  swift: 'Swift',
  sql: 'SQL',
  shell: 'shell scripts and Makefiles',
  ci: 'Docker, YAML and CI',
};

/** The most checklists in one request: more cost more than they find. */
const mostInRequest = 3;

/** Reads the checklists for these files: the project's own, otherwise those that ship. In a fixed order. */
export function readChecklists(files: readonly DiffFile[], own: ChecklistTexts = {}): readonly Checklist[] {
  const wanted = new Set(files.map(({ path }) => familyOf(path)));
  return languageFamilies.flatMap((name) => {
    if (!wanted.has(name)) return [];
    const replaced = own[name];
    const text = (replaced ?? shippedChecklist(name)).trim();
    const origin = replaced === undefined ? 'shipped' : 'project';
    return text === '' ? [] : [{ name, title: titles[name], text, origin } as const];
  });
}

/**
 * Selects the checklists of a chunk: all of the change if they are few, so that its chunks begin with the same text, else
 * those of the chunk's languages with the most changed lines.
 */
export function checklistsFor(
  files: readonly DiffFile[],
  checklists: readonly Checklist[],
): readonly Checklist[] {
  if (checklists.length <= mostInRequest) return checklists;
  const linesIn = ({ name }: Checklist) =>
    countLines(changedLinesOf(files.filter(({ path }) => familyOf(path) === name)));
  const counted = checklists.map((checklist) => ({ checklist, lines: linesIn(checklist) }));
  const most = counted
    .filter(({ lines }) => lines > 0)
    .toSorted((left, right) => right.lines - left.lines)
    .slice(0, mostInRequest);
  return counted.filter((one) => most.includes(one)).map(({ checklist }) => checklist);
}

/** Returns the text of a checklist that ships: beside its source, or in the package beside the bundle. */
function shippedChecklist(name: LanguageFamily): string {
  const beside = join(import.meta.dirname, '../checklists', `${name}.md`);
  const path = existsSync(beside) ? beside : join(packageFolder(), 'dist/checklists', `${name}.md`);
  return readText(path);
}
