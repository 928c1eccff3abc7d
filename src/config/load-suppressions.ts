/** Reads the suppression file that is named, on the disk or in the commit that the settings come from. */
import { relative } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import type { FileSource } from './file-source.ts';
import type { WrittenSuppression } from './suppressions-file.ts';

export interface SuppressionsOptions {
  /** Absolute. */
  readonly named: string;
  /** The top of the repository. */
  readonly top: string;
  readonly source: FileSource;
  /** Whether a file that is not there means that nothing is suppressed: the change under review may be what brings it. */
  readonly mayBeMissing: boolean;
}

export interface LoadedSuppressions {
  /** As messages and reports say it. */
  readonly name: string;
  readonly entries: readonly WrittenSuppression[];
}

const mostBytes = 256 * 1024;

/** Null where there is none and that may be. @throws CollabError `config` */
export async function loadSuppressions(options: SuppressionsOptions): Promise<LoadedSuppressions | null> {
  const { named, top, source, mayBeMissing } = options;
  const way = relative(top, named);
  const name = way.startsWith('..') ? named : way;
  const text = await source.read(named, name, mostBytes);
  if (text !== null) {
    // The YAML parser is read only where there is something to parse.
    const { checkSuppressions } = await import('./suppressions-file.ts');
    return { name, entries: checkSuppressions(text, name) };
  }
  if (mayBeMissing) return null;
  throw new CollabError('config', `the suppression file ${name} does not exist`, {
    hint: 'name a YAML file with --suppressions, or leave it out',
  });
}
