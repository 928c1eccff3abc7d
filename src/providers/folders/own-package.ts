import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../system/package-folder.ts';
import { ownName } from './dependencies.ts';

let provided = false;

/**
 * Resolves `codex-collab/providers` for a provider even if this package is installed elsewhere: an import that does not
 * resolve from its folder gets this package. Works only in the bundle; the sources are not Node modules.
 */
export function provideOwnPackage(): void {
  if (provided || !import.meta.url.includes('/dist/')) return;
  provided = true;
  const own = {
    [`${ownName}/providers`]: pathToFileURL(join(packageFolder(), 'dist/providers.js')).href,
    [`${ownName}/interfaces`]: pathToFileURL(join(packageFolder(), 'dist/interfaces.js')).href,
    [ownName]: pathToFileURL(join(packageFolder(), 'dist/index.js')).href,
  };
  const hook = `
    const own = ${JSON.stringify(own)};
    export async function resolve(specifier, context, next) {
      try {
        return await next(specifier, context);
      } catch (error) {
        const url = own[specifier];
        if (url === undefined) throw error;
        return { url, shortCircuit: true };
      }
    }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
