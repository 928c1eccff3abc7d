/** Detects the language of a file by its name alone. */
import { posix } from 'node:path';

export const codeLanguages = [
  'javascript',
  'typescript',
  'tsx',
  'python',
  'ruby',
  'php',
  'go',
  'java',
  'csharp',
  'rust',
  'c',
  'sql',
  'shell',
  'yaml',
  'docker',
  'terraform',
  'settings',
  'markup',
  'prose',
  'other',
] as const;
export type Language = (typeof codeLanguages)[number];

/** Languages with a grammar. */
export const syntaxLanguages: readonly Language[] = ['javascript', 'typescript', 'tsx'];

/** Returns the language of a file; `other` if the name does not show it. */
export function languageOf(path: string): Language {
  const name = posix.basename(path).toLowerCase();
  return byName(name) ?? byExtension.get(posix.extname(name).slice(1)) ?? 'other';
}

/** Returns true for a line that contains only a comment of that language. */
export function isCommentLine(text: string, language: Language): boolean {
  const line = text.trim();
  return lineComments(language).some((prefix) => line.startsWith(prefix));
}

/** Returns the comment part of a line, with its opener; null if there is none. */
export function commentOf(text: string, language: Language): string | null {
  const starts = lineComments(language)
    .map((prefix) => openerIndex(text, prefix))
    .filter((index) => index >= 0);
  return starts.length === 0 ? null : text.slice(Math.min(...starts));
}

/** Finds an opener at the line's start or after a space, which excludes the `//` of a URL. */
function openerIndex(text: string, prefix: string): number {
  const trimmedStart = text.length - text.trimStart().length;
  if (text.startsWith(prefix, trimmedStart)) return trimmedStart;
  const index = text.indexOf(` ${prefix}`);
  return index < 0 ? index : index + 1;
}

function byName(name: string): Language | null {
  if (name === 'dockerfile' || name.startsWith('dockerfile.') || name.endsWith('.dockerfile'))
    return 'docker';
  if (name.startsWith('.env') || name === '.npmrc') return 'settings';
  if (name === 'makefile') return 'shell';
  return null;
}

const extensions: Readonly<Record<Exclude<Language, 'other'>, string>> = {
  javascript: 'js jsx mjs cjs',
  typescript: 'ts mts cts',
  tsx: 'tsx',
  python: 'py pyi',
  ruby: 'rb rake',
  php: 'php',
  go: 'go',
  java: 'java kt kts scala groovy',
  csharp: 'cs',
  rust: 'rs',
  c: 'c h cc cpp cxx hpp hh m mm swift',
  sql: 'sql',
  shell: 'sh bash zsh ksh mk',
  yaml: 'yml yaml',
  docker: 'containerfile',
  terraform: 'tf hcl',
  settings: 'env ini conf cfg toml properties json json5',
  markup: 'html htm xml vue svelte css scss less',
  prose: 'md mdx txt rst adoc',
};

const byExtension: ReadonlyMap<string, Language> = new Map(
  codeLanguages
    .filter((language) => language !== 'other')
    .flatMap((language) =>
      extensions[language].split(' ').map((extension) => [extension, language] as const),
    ),
);

function lineComments(language: Language): readonly string[] {
  return lineCommentsOf[language] ?? ['//', '/*', '*'];
}

/** Openers that differ from C's. */
const lineCommentsOf: Readonly<Partial<Record<Language, readonly string[]>>> = {
  python: ['#'],
  ruby: ['#'],
  shell: ['#'],
  yaml: ['#'],
  docker: ['#'],
  settings: ['#', ';', '//'],
  terraform: ['#', '//', '/*', '*'],
  php: ['//', '#', '/*', '*'],
  sql: ['--', '/*'],
  markup: ['<!--', '//', '/*', '*'],
  prose: [],
};
