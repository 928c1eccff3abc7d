/** Imports modules that are only known at run time, such as a provider of the user. */

/** Returns the namespace of the module at a URL; rejects with the module's own error. */
export type Importer = (url: string) => Promise<unknown>;

let importer: Importer = (url) => import(url);

/** Imports the module at a `file:` URL; rejects with the module's own error. */
export function importModule(url: string): Promise<unknown> {
  return importer(url);
}

/** Makes another importer do it: code that V8 keeps compiled cannot import by itself on Node 20. */
export function importBy(other: Importer): void {
  importer = other;
}
