import { extname } from 'node:path';

const languages = {
  '.bash': 'Shell',
  '.c': 'C++',
  '.cc': 'C++',
  '.cjs': 'JavaScript',
  '.cpp': 'C++',
  '.gradle': 'Groovy',
  '.gyp': 'Python',
  '.gypi': 'Python',
  '.h': 'C++',
  '.hh': 'C++',
  '.java': 'Java',
  '.js': 'JavaScript',
  '.kt': 'Kotlin',
  '.m': 'Objective-C',
  '.mjs': 'JavaScript',
  '.mm': 'Objective-C',
  '.py': 'Python',
  '.scss': 'SCSS',
  '.sh': 'Shell',
  '.sql': 'SQL',
  '.swift': 'Swift',
  '.ts': 'TypeScript',
  '.tsx': 'TypeScript',
} as const;

export type Language = (typeof languages)[keyof typeof languages];

const byExtension: ReadonlyMap<string, Language> = new Map(Object.entries(languages));

/** The language of a source file by its extension, or by the first line of a script that has none; else null. */
export function languageOf(path: string, text: string): Language | null {
  const extension = extname(path);
  if (extension === '') return /^#!.*\b(?:ba)?sh\b/.test(text) ? 'Shell' : null;
  return byExtension.get(extension) ?? null;
}
