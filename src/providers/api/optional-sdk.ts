/** Checks a vendor's SDK that does not ship with us: a peer dependency that users install if they want it. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageFolder } from '../../system/package-folder.ts';
import { checkDependencies, readPackage } from '../folders/dependencies.ts';

export interface MissingSdk {
  readonly message: string;
  /** Names a command that installs the package in a folder that Node searches. */
  readonly hint: string;
}

/** Returns null if the package is installed at a supported version. */
export async function missingSdk(name: string | undefined, beside?: string): Promise<MissingSdk | null> {
  if (name === undefined) return null;
  const folder = beside ?? packageFolder();
  const range = readPackage(folder).declared?.[name] ?? '*';
  const [fault] = await checkDependencies(folder, { [name]: range });
  if (fault === undefined) return null;
  const what =
    fault.code === 'dependency_missing' ? `${name} is not installed` : `it needs ${fault.expected}`;
  return { message: what, hint: `Install it: ${installCommand(folder)} "${name}@${range}"` };
}

/** Returns the command that installs beside this package; a folder without a package file is that of global packages. */
function installCommand(folder: string): string {
  const above = dirname(folder);
  if (basename(above) !== 'node_modules') return `npm install --prefix ${folder} --no-save`;
  const project = dirname(above);
  return existsSync(join(project, 'package.json'))
    ? `npm install --prefix ${project}`
    : 'npm install --global';
}
