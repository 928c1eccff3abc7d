/** The checklists of a review: failures that reviewers miss in a language. Which apply to a chunk, and their texts. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { changedLinesOf, countLines } from '../../parsers/diff/ranges.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { readText } from '../../system/files/read.ts';
import { packageFolder } from '../../system/package-folder.ts';

export const checklistNames = [
  'typescript',
  'python',
  'go',
  'java',
  'rust',
  'c',
  'csharp',
  'ruby',
  'php',
  'swift',
  'sql',
  'shell',
  'ci',
] as const;
export type ChecklistName = (typeof checklistNames)[number];

/** Checklists of a project, by name; an empty text turns one off. */
export type ChecklistTexts = Readonly<Partial<Record<ChecklistName, string>>>;

export interface Checklist {
  readonly name: ChecklistName;
  /** The language, for a heading. */
  readonly title: string;
  readonly text: string;
  /** `project`: the project's own words, which are fenced. */
  readonly origin: 'shipped' | 'project';
}

const languages: Readonly<Record<ChecklistName, { readonly title: string; readonly extensions: string }>> = {
  typescript: {
    title: 'TypeScript and JavaScript',
    extensions: 'ts tsx mts cts js jsx mjs cjs vue svelte astro',
  },
  python: { title: 'Python', extensions: 'py pyi ipynb' },
  go: { title: 'Go', extensions: 'go' },
  java: { title: 'Java and Kotlin', extensions: 'java kt kts' },
  rust: { title: 'Rust', extensions: 'rs' },
  c: { title: 'C and C++', extensions: 'c h cc cpp cxx hpp hh hxx m mm' },
  csharp: { title: 'C#', extensions: 'cs cshtml razor' },
  ruby: { title: 'Ruby', extensions: 'rb rake erb gemspec' },
  php: { title: 'PHP', extensions: 'php phtml' },
  swift: { title: 'Swift', extensions: 'swift' },
  sql: { title: 'SQL', extensions: 'sql psql plpgsql' },
  shell: { title: 'shell scripts and Makefiles', extensions: 'sh bash zsh ksh bats mk' },
  ci: { title: 'Docker, YAML and CI', extensions: 'yml yaml dockerfile tf tfvars hcl' },
};

const byExtension: ReadonlyMap<string, ChecklistName> = new Map(
  checklistNames.flatMap((name) =>
    languages[name].extensions.split(' ').map((extension) => [extension, name] as const),
  ),
);

const byFileName: readonly (readonly [name: RegExp, checklist: ChecklistName])[] = [
  [/^(?:dockerfile|containerfile)(?:\.|$)/, 'ci'],
  [/^jenkinsfile$/, 'ci'],
  [/^(?:gnu)?makefile$/, 'shell'],
  [/^(?:rakefile|gemfile)$/, 'ruby'],
];

/** The most checklists in one request: more cost more than they find. */
const mostInRequest = 3;

/** Returns the checklist for a file; null if there is none. */
export function checklistOf(path: string): ChecklistName | null {
  const file = posix.basename(path).toLowerCase();
  const named = byFileName.find(([pattern]) => pattern.test(file));
  return named?.[1] ?? byExtension.get(posix.extname(file).slice(1)) ?? null;
}

/** Reads the checklists for these files: the project's own, otherwise those that ship. In a fixed order. */
export function readChecklists(files: readonly DiffFile[], own: ChecklistTexts = {}): readonly Checklist[] {
  const wanted = new Set(files.map(({ path }) => checklistOf(path)));
  return checklistNames.flatMap((name) => {
    if (!wanted.has(name)) return [];
    const replaced = own[name];
    const text = (replaced ?? shippedChecklist(name)).trim();
    const origin = replaced === undefined ? 'shipped' : 'project';
    return text === '' ? [] : [{ name, title: languages[name].title, text, origin } as const];
  });
}

/** Selects the checklists of a chunk: those of the languages with the most changed lines. */
export function checklistsFor(
  files: readonly DiffFile[],
  checklists: readonly Checklist[],
): readonly Checklist[] {
  const linesIn = ({ name }: Checklist) =>
    countLines(changedLinesOf(files.filter(({ path }) => checklistOf(path) === name)));
  const counted = checklists.map((checklist) => ({ checklist, lines: linesIn(checklist) }));
  const most = counted
    .filter(({ lines }) => lines > 0)
    .toSorted((left, right) => right.lines - left.lines)
    .slice(0, mostInRequest);
  return counted.filter((one) => most.includes(one)).map(({ checklist }) => checklist);
}

/** Returns the text of a checklist that ships: beside its source, or in the package beside the bundle. */
function shippedChecklist(name: ChecklistName): string {
  const beside = join(import.meta.dirname, '../checklists', `${name}.md`);
  const path = existsSync(beside) ? beside : join(packageFolder(), 'dist/checklists', `${name}.md`);
  return readText(path);
}
