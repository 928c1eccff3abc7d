import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** The artifacts of a browser test run: a picture and a trace of each test. */
export const artefacts = join(import.meta.dirname, '../../test-artefacts');

/** `<test file>/<title>`, without characters that are unusual in a file name. */
export function artefactOf({ file, name }: TestContext['task'], ending: string): string {
  const words = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100);
  const folder = file.name.replace(/^.*\//, '').replace(/\.test\.ts$/, '');
  return join(artefacts, folder, `${words}${ending}`);
}
