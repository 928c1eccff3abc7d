/** Lists the packages that a provider's files import, read from their syntax: each must be declared (R003-55). */
import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';
import { readNamed } from '../../system/files/read.ts';
import type { DeclaredDependencies } from './dependencies.ts';
import type { FolderFault } from './folder-fault.ts';

export async function undeclaredImports(
  folder: string,
  declared: DeclaredDependencies,
): Promise<readonly FolderFault[]> {
  const faults: FolderFault[] = [];
  for (const path of sourceFiles(folder)) {
    for (const name of await packagesIn(readNamed(path).toString('utf8'))) {
      if (Object.hasOwn(declared, name)) continue;
      faults.push({
        code: 'import_undeclared',
        path,
        expected: `${name} among the dependencies of package.json, because the file imports it`,
        fix: `npm install --prefix ${folder} ${name}`,
      });
    }
  }
  return faults;
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.(?:m?js|ts)$/.test(path) && !path.endsWith('.d.ts'))
    .filter((path) => !relative(folder, path).split(sep).includes('node_modules'))
    .toSorted();
}

async function packagesIn(text: string): Promise<readonly string[]> {
  const { parse, Lang } = await import('@ast-grep/napi');
  const tree = parse(Lang.TypeScript, text).root();
  const sources = tree.findAll({ rule: importedString }).map((node) => node.text());
  return [...new Set(sources.filter(isBare).map(packageOf))];
}

/** Finds the string of an import, a re-export, `import()` or `require()`, except for imports of types alone. */
const importedString = {
  kind: 'string_fragment',
  inside: {
    kind: 'string',
    any: [
      { inside: { kind: 'import_statement', not: { regex: '^import\\s+type\\b' } } },
      {
        inside: {
          kind: 'export_statement',
          not: { regex: '^export\\s+type\\b' },
          has: { field: 'source', kind: 'string' },
        },
      },
      {
        inside: {
          kind: 'arguments',
          inside: { kind: 'call_expression', has: { field: 'function', regex: '^(import|require)$' } },
        },
      },
    ],
  },
};

function isBare(source: string): boolean {
  return !/^[./]|^[a-z]+:/i.test(source) && !isBuiltin(source);
}

/** Returns the package name: `@scope/name/deep` → `@scope/name`. */
function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/');
}
