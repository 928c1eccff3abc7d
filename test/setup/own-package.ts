import { resolve } from 'node:path';

/**
 * A provider of the fixtures imports the package by its name, like a provider outside of it: here it gets the sources.
 */
export const ownPackage = {
  alias: { 'codex-collab/providers': resolve(import.meta.dirname, '../../src/providers/client/author.ts') },
};
