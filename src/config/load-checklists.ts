/** Loads a project's own checklists: `collab.checklists/<language>.md` at the top of the repository. */
import { join } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import { languageFamilies } from '../parsers/languages/language.ts';
import type { ChecklistTexts } from '../prompts/review/checklists.ts';
import { nearest } from '../text/nearest.ts';
import type { FileSource } from './file-source.ts';

export const checklistsFolder = 'collab.checklists';
/** A request contains up to three of them. */
const mostBytes = 16 * 1024;

export interface ChecklistsOptions {
  /** The top folder of the repository. */
  readonly top: string;
  readonly source: FileSource;
}

/** Returns null if there are none. @throws CollabError `config` for an unknown language, a link or a file that is too large */
export async function loadChecklists({ top, source }: ChecklistsOptions): Promise<ChecklistTexts | null> {
  const folder = join(top, checklistsFolder);
  if (await source.isLink(folder)) throw refuseLink(checklistsFolder);
  const found: [string, string][] = [];
  for (const file of (await source.list(folder)).toSorted()) {
    if (!file.endsWith('.md') || file === 'README.md') continue;
    const language = file.slice(0, -'.md'.length);
    const name = `${checklistsFolder}/${file}`;
    if (!languageFamilies.some((known) => known === language)) throw unknownLanguage(name, language);
    const path = join(folder, file);
    if (await source.isLink(path)) throw refuseLink(name);
    const text = await source.read(path, name, mostBytes);
    if (text !== null) found.push([language, text]);
  }
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** A link could send any file of this machine to the model. */
function refuseLink(name: string): CollabError {
  return new CollabError('config', `${name} is a link; collab does not read it as a checklist`, {
    hint: 'replace the link by the file itself',
  });
}

function unknownLanguage(name: string, language: string): CollabError {
  const similar = nearest(language, languageFamilies);
  return new CollabError('config', `${name}: collab has no checklist for "${language}"`, {
    hint: `${similar === null ? '' : `Did you mean ${similar}.md? `}The languages are ${languageFamilies.join(', ')}.`,
  });
}
