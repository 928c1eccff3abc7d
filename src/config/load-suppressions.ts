/** Reads the named suppression file, from the disk or from the commit that the settings come from. */
import { CollabError } from '../errors/collab-error.ts';
import type { FileSource } from './file-source.ts';
import type { WrittenSuppression } from './suppressions-file.ts';
import { pathWithin } from '../system/is-inside.ts';

export interface SuppressionsOptions {
  /** Absolute path. */
  readonly named: string;
  /** The top folder of the repository. */
  readonly top: string;
  readonly source: FileSource;
  /** Allows a missing file, which suppresses nothing: the change under review may be what adds it. */
  readonly mayBeMissing: boolean;
}

export interface LoadedSuppressions {
  /** The file name in messages and reports. */
  readonly name: string;
  readonly entries: readonly WrittenSuppression[];
}

const mostBytes = 256 * 1024;

/** Returns null if there is none and `mayBeMissing`. @throws CollabError `config` */
export async function loadSuppressions(options: SuppressionsOptions): Promise<LoadedSuppressions | null> {
  const { named, top, source, mayBeMissing } = options;
  const name = pathWithin(named, top);
  const text = await source.read(named, name, mostBytes);
  if (text !== null) {
    // Loads the YAML parser only if there is something to parse.
    const { checkSuppressions } = await import('./suppressions-file.ts');
    return { name, entries: checkSuppressions(text, name) };
  }
  if (mayBeMissing) return null;
  throw new CollabError('config', `the suppression file ${name} does not exist`, {
    hint: 'name a YAML file with --suppressions, or omit it',
  });
}
