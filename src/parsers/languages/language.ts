/** The one table of languages: the language of a file by its name alone, and the checklist that a reviewer of it gets. */
import { posix } from 'node:path';

/** The names of the checklists. */
export const languageFamilies = [
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
export type LanguageFamily = (typeof languageFamilies)[number];

/** The languages that rules tell apart. */
export type Language =
  | Exclude<LanguageFamily, 'ci'>
  | 'javascript'
  | 'tsx'
  | 'yaml'
  | 'docker'
  | 'terraform'
  | 'settings'
  | 'markup'
  | 'prose'
  | 'other';

type Kind = readonly [language: Language, family: LanguageFamily | null];

const extensions: readonly (readonly [...Kind, extensions: string])[] = [
  ['javascript', 'typescript', 'js jsx mjs cjs'],
  ['typescript', 'typescript', 'ts mts cts'],
  ['tsx', 'typescript', 'tsx'],
  ['markup', 'typescript', 'vue svelte astro'],
  ['python', 'python', 'py pyi'],
  // A notebook is JSON.
  ['settings', 'python', 'ipynb'],
  ['ruby', 'ruby', 'rb rake gemspec'],
  ['markup', 'ruby', 'erb'],
  ['php', 'php', 'php phtml'],
  ['go', 'go', 'go'],
  ['java', 'java', 'java kt kts'],
  ['java', null, 'scala groovy gradle'],
  ['csharp', 'csharp', 'cs'],
  ['markup', 'csharp', 'cshtml razor'],
  ['rust', 'rust', 'rs'],
  ['c', 'c', 'c h cc cpp cxx hpp hh hxx m mm'],
  ['swift', 'swift', 'swift'],
  ['sql', 'sql', 'sql psql plpgsql'],
  ['shell', 'shell', 'sh bash zsh ksh bats mk'],
  ['yaml', 'ci', 'yml yaml'],
  ['docker', 'ci', 'dockerfile containerfile'],
  ['terraform', 'ci', 'tf tfvars hcl'],
  ['settings', null, 'env ini conf cfg toml properties json json5'],
  ['markup', null, 'html htm xml css scss less'],
  ['prose', null, 'md mdx txt rst adoc'],
];

const names: readonly (readonly [...Kind, name: RegExp])[] = [
  ['docker', 'ci', /^(?:dockerfile|containerfile)(?:\.|$)/],
  ['java', 'ci', /^jenkinsfile$/],
  ['shell', 'shell', /^(?:gnu)?makefile$/],
  ['ruby', 'ruby', /^(?:rakefile|gemfile)$/],
  ['settings', null, /^\.env|^\.npmrc$/],
];

const byExtension: ReadonlyMap<string, Kind> = new Map(
  extensions.flatMap(([language, family, list]) =>
    list.split(' ').map((extension) => [extension, [language, family]] as const),
  ),
);

/** Returns the language of a file; `other` if the name does not show it. */
export function languageOf(path: string): Language {
  return kindOf(path)[0];
}

/** Returns the family of a file's language; null if there is no checklist for it. */
export function familyOf(path: string): LanguageFamily | null {
  return kindOf(path)[1];
}

function kindOf(path: string): Kind {
  const file = posix.basename(path).toLowerCase();
  const named = names.find(([, , name]) => name.test(file));
  if (named !== undefined) return [named[0], named[1]];
  return byExtension.get(posix.extname(file).slice(1)) ?? ['other', null];
}
