/** Inspects a provider's folder: names, package file, dependencies, profiles. Runs none of its code. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkDependencies, readPackage } from './dependencies.ts';
import type { FolderFault } from './folder-fault.ts';
import { undeclaredImports } from './bare-imports.ts';
import type { Profile } from '../profiles/profile.ts';
import { readProfiles } from '../profiles/profile-folder.ts';

export interface InspectedFolder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Absolute; null if there is none that this Node can load. */
  readonly entry: string | null;
  readonly profiles: readonly Profile[];
  readonly faults: readonly FolderFault[];
  readonly warnings: readonly FolderFault[];
}

export interface InspectOptions {
  /** Names that a folder may not use. */
  readonly taken: readonly string[];
  /** Set if Node strips types. Default: the behavior of this Node. */
  readonly stripsTypes?: boolean;
}

export async function inspectFolder(path: string, options: InspectOptions): Promise<InspectedFolder> {
  const name = basename(path);
  const { stripsTypes = nodeStripsTypes() } = options;
  const entry = findEntry(path, name, stripsTypes);
  const profiles = inspectProfiles(path, name);
  const dependencies = readPackage(path);
  return {
    name,
    path,
    entry: entry.path,
    profiles: profiles.found,
    faults: [
      ...nameFaults(path, name, options.taken),
      ...entry.faults,
      ...dependencies.faults,
      ...(dependencies.declared === null ? [] : await checkDependencies(path, dependencies.declared)),
      ...(dependencies.declared === null ? [] : await undeclaredImports(path, dependencies.declared)),
      ...profiles.faults,
    ],
    warnings: profiles.warnings,
  };
}

/** Reads `process.features`: false or absent if Node does not strip types. */
function nodeStripsTypes(): boolean {
  return Boolean(Reflect.get(process.features, 'typescript'));
}

function nameFaults(path: string, name: string, taken: readonly string[]): readonly FolderFault[] {
  const fault = (code: FolderFault['code'], expected: string, fix: string) => [{ code, path, expected, fix }];
  if (!/^[a-z0-9_]+$/.test(name)) {
    const better = name.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_');
    return fault(
      'folder_name',
      'lower-case letters, digits and underscores',
      `Rename the folder, such as ${better}.`,
    );
  }
  if (/^\d/.test(name)) {
    return fault(
      'folder_digit',
      `a name that begins with a letter: ${name.toUpperCase()}_API_KEY is not a variable name`,
      `Rename the folder, such as provider_${name}.`,
    );
  }
  if (taken.includes(name)) {
    return fault(
      'name_taken',
      `a name that no provider of collab has`,
      `Rename the folder, such as my_${name}.`,
    );
  }
  return [];
}

interface Entry {
  readonly path: string | null;
  readonly faults: readonly FolderFault[];
}

const extensions = ['js', 'mjs', 'ts'] as const;

function findEntry(folder: string, name: string, stripsTypes: boolean): Entry {
  const files = extensions.map((extension) => `${name}_client.${extension}`);
  const [first, ...others] = files.filter((file) => existsSync(join(folder, file)));
  if (first === undefined) {
    const near = readdirSync(folder).find((file) => /_client\.(?:m?js|ts)$/.test(file));
    return refusedEntry({
      code: 'entry_missing',
      path: folder,
      expected: `the file ${files.join(' or ')}`,
      fix: near === undefined ? `Write ${files[0]}.` : `Rename ${near}.`,
    });
  }
  const path = join(folder, first);
  if (others.length > 0) {
    return refusedEntry({
      code: 'entry_ambiguous',
      path: folder,
      expected: `one entry file, not ${[first, ...others].join(' and ')}`,
      fix: `Remove all but one.`,
    });
  }
  if (first.endsWith('.ts') && !stripsTypes) {
    return refusedEntry({
      code: 'entry_unsupported',
      path,
      expected: `JavaScript: Node ${process.versions.node} runs no TypeScript`,
      fix: 'Compile it to .js, or use Node 22.18, 23.6 or later.',
    });
  }
  return { path, faults: [] };
}

function refusedEntry(fault: FolderFault): Entry {
  return { path: null, faults: [fault] };
}

/** Inspects the profiles in the folder's `ai_profile`. */
export function inspectProfiles(folder: string, name: string) {
  const path = join(folder, 'ai_profile');
  const read = readProfiles(path, name);
  const at = (fileName: string, place: string): string =>
    `${join(path, fileName)}${place === '' ? '' : `#${place}`}`;
  const remarks = (kind: 'faults' | 'warnings'): readonly FolderFault[] =>
    read.flatMap((file) =>
      file[kind].map(({ place, expected }) => ({
        code: 'profile_invalid' as const,
        path: at(file.fileName, place),
        expected,
        fix: 'Write the profile as schemas/collab.profile.json describes it.',
      })),
    );
  const missing: FolderFault = {
    code: 'profile_missing',
    path,
    expected: 'at least one profile of a model, <model-id>.json',
    fix: 'Write one; references/providers.md shows how.',
  };
  return {
    found: read.flatMap(({ profile }) => profile ?? []),
    faults: [...(read.length === 0 ? [missing] : []), ...remarks('faults')],
    warnings: remarks('warnings'),
  };
}
