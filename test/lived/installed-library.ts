/** The entries of the installed library, imported as a program of a user imports them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as client from '../../src/client/client.ts';
import type * as interfaces from '../../src/tools/definition/interfaces.ts';
import type * as index from '../../src/index.ts';
import type * as providers from '../../src/providers/client/author.ts';
import type { Place } from '../packed/place.ts';
import { shared } from '../packed/shared-place.ts';

interface Entries {
  readonly client: typeof client;
  readonly interfaces: typeof interfaces;
  readonly index: typeof index;
  readonly providers: typeof providers;
}

export function installedEntry<Name extends keyof Entries>(name: Name): () => Entries[Name] {
  return shared((place) => importEntry(place, name));
}

export async function importEntry<Name extends keyof Entries>(
  { packageFolder }: Place,
  name: Name,
): Promise<Entries[Name]> {
  return import(/* @vite-ignore */ pathToFileURL(join(packageFolder, `dist/${name}.js`)).href);
}
