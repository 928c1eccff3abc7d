/**
 * Loads third-party providers: inspects every given folder without running it, and loads the one the user chose. A folder with
 * faults does not block the others (X003-20).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { clientProvider } from './client-provider.ts';
import type { ModelProvider } from '../contract/contract.ts';
import type { FolderFault } from './folder-fault.ts';
import { inspectFolder, type InspectedFolder, type InspectOptions } from './inspect-folder.ts';
import { loadClass } from './load-class.ts';

/** Returns the provider folders in a folder such as `./ai_client`, ordered by name; empty if it does not exist. */
export function providerFolders(root: string): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .filter((name) => !/^[._]/.test(name) && name !== 'node_modules')
      .toSorted()
      .map((name) => join(root, name));
  } catch {
    return [];
  }
}

/** Inspects all folders, valid or not. Runs no code. */
export async function inspectFolders(
  roots: readonly string[],
  options: InspectOptions,
): Promise<readonly InspectedFolder[]> {
  return Promise.all(roots.flatMap(providerFolders).map((path) => inspectFolder(path, options)));
}

/** Runs the folder's code. @throws CollabError `options` with every fault of the folder */
export async function loadProviderFolder(path: string, options: InspectOptions): Promise<ModelProvider> {
  const folder = await inspectFolder(path, options);
  const loaded = folder.entry === null ? null : await loadClass(folder.name, folder.entry);
  const faults = [...folder.faults, ...(loaded?.faults ?? [])];
  if (faults.length > 0 || loaded === null || loaded.Client === null) throw unsound(folder, faults);
  return clientProvider({ ...folder, Client: loaded.Client });
}

function unsound({ name, path }: InspectedFolder, faults: readonly FolderFault[]): CollabError {
  const list = faults
    .map(({ code, path: at, expected }) => `${code}: ${at}: expected ${expected}`)
    .join('; ');
  return new CollabError('options', `the provider ${name} cannot be used: ${list}`, {
    hint: `see each fault and its fix: collab provider check ${path}`,
    details: { faults },
  });
}
