import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../system/package-folder.ts';
import { ownName } from './dependencies.ts';

let provided = false;

/**
 * A provider imports `codex-collab/providers`, also where this package is installed elsewhere: what does not resolve from its
 * folder is this very package. Only where it runs from its bundle; the sources are no modules of Node.
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
