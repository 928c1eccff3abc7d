/** Checks that a provider's declared dependencies are installed (X003-19). Installs nothing: it prints the command for it. */
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { readNamedIfThere } from '../../system/files/read.ts';
import { packageFolder } from '../../system/package-folder.ts';
import type { FolderFault } from './folder-fault.ts';

const packageSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

export type DeclaredDependencies = Readonly<Record<string, string>>;

export interface ReadPackage {
  /** Dependencies of the package file; null if there is no readable one. */
  readonly declared: DeclaredDependencies | null;
  readonly faults: readonly FolderFault[];
}

export function readPackage(folder: string): ReadPackage {
  const path = join(folder, 'package.json');
  const content = readJson(path);
  if (content === null) {
    return refused({
      code: 'package_missing',
      path,
      expected: 'a package.json with its dependencies, which may be none',
      fix: 'Write one: {"private": true, "type": "module", "dependencies": {}}',
    });
  }
  const parsed = packageSchema.safeParse(content);
  if (!parsed.success) {
    const expected = parsed.error.issues
      .map(({ path: at, message }) => `${at.join('.')}: ${message}`)
      .join('; ');
    return refused({ code: 'package_invalid', path, expected, fix: 'Correct the file.' });
  }
  const { dependencies, peerDependencies } = parsed.data;
  return { declared: { ...peerDependencies, ...dependencies }, faults: [] };
}

function refused(fault: FolderFault): ReadPackage {
  return { declared: null, faults: [fault] };
}

/** Returns the dependencies that do not resolve from the folder, or that resolve to another version than the declared one. */
export async function checkDependencies(
  folder: string,
  declared: DeclaredDependencies,
): Promise<readonly FolderFault[]> {
  if (Object.keys(declared).length === 0) return [];
  const { default: semver } = await import('semver');
  return Object.entries(declared).flatMap(([name, range]): readonly FolderFault[] => {
    const version = installedVersion(folder, name);
    const wanted = { path: join(folder, 'package.json'), fix: installCommand(folder) };
    if (version === null)
      return [{ code: 'dependency_missing', expected: `${name} ${range} to be installed`, ...wanted }];
    // A value that is not a range names a source, such as a git address: any installed version matches it.
    if (semver.validRange(range) === null || semver.satisfies(version, range, { includePrerelease: true }))
      return [];
    return [{ code: 'dependency_version', expected: `${name} ${range}; installed is ${version}`, ...wanted }];
  });
}

/** This package's own name, which always resolves: the loader supplies its modules to every provider. */
export const ownName = 'codex-collab';

function installedVersion(folder: string, name: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const version = versionIn(join(at, 'node_modules', name, 'package.json'));
    if (version !== null) return version;
    if (dirname(at) === at) break;
  }
  return name === ownName ? versionIn(join(packageFolder(), 'package.json')) : null;
}

function versionIn(path: string): string | null {
  return z.looseObject({ version: z.string() }).safeParse(readJson(path)).data?.version ?? null;
}

function installCommand(folder: string): string {
  const way = relative(process.cwd(), folder);
  return `npm install --prefix ${way === '' ? '.' : way.startsWith('..') ? folder : way}`;
}

/** Returns null if there is no file, undefined if it is not JSON or a pipe. The file may be linked: package managers do. */
function readJson(path: string): unknown {
  try {
    const bytes = readNamedIfThere(path);
    return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) ?? undefined);
  } catch {
    return undefined;
  }
}
