/**
 * The rules of a user's repository outside its files: line ends, file modes, and which files are ignored. They travel with a copy,
 * since those of another machine would change its commits.
 */
import { devNull } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createFile, createFolder } from '../../system/files/tree.ts';
import type { Repository } from '../repository/find-root.ts';
import type { OpenViewOptions } from '../repository/git-view.ts';
import { readHarmlessSettings } from '../repository/harmless-settings.ts';
import { readNamedIfThere } from '../../system/files/read.ts';
import { renderGitConfig } from '../repository/render-git-config.ts';

export const contentRulesSchema = z.object({
  autocrlf: z.string(),
  eol: z.string(),
  filemode: z.string(),
  /** The patterns of the user and of the repository's `info/exclude`. */
  exclude: z.string(),
  /** Those of `info/attributes`. */
  attributes: z.string(),
});

export type ContentRules = Readonly<z.infer<typeof contentRulesSchema>>;

/** `cwd`: a folder without a repository. @throws CollabError as `readHarmlessSettings` */
export async function readContentRules(
  repository: Repository,
  reading: OpenViewOptions & { readonly cwd: string },
): Promise<ContentRules> {
  const settings = await readHarmlessSettings(repository, reading);
  const file = settings.get('core.excludesfile') ?? devNull;
  const ofUser = file === devNull ? '' : textOf(file);
  return {
    autocrlf: settings.get('core.autocrlf') ?? 'false',
    eol: settings.get('core.eol') ?? 'native',
    filemode: settings.get('core.filemode') ?? 'true',
    // The later of two patterns counts: that of the repository.
    exclude: `${ofUser}\n${textOf(join(repository.commonDir, 'info/exclude'))}`,
    attributes: textOf(join(repository.commonDir, 'info/attributes')),
  };
}

function textOf(path: string): string {
  return readNamedIfThere(path)?.toString('utf8') ?? '';
}

/** Writes them into a new `.git`, above those of the user of this machine. */
export function writeContentRules(gitFolder: string, rules: ContentRules): void {
  const { autocrlf, eol, filemode, exclude, attributes } = rules;
  const settings = new Map([
    ['core.repositoryformatversion', '0'],
    ['core.autocrlf', autocrlf],
    ['core.eol', eol],
    ['core.filemode', filemode],
    ['core.excludesfile', devNull],
  ]);
  createFile(join(gitFolder, 'config'), renderGitConfig(settings));
  createFolder(join(gitFolder, 'info'));
  createFile(join(gitFolder, 'info/exclude'), exclude);
  createFile(join(gitFolder, 'info/attributes'), attributes);
}
