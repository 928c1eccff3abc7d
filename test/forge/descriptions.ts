/** The folder that pins GitHub's own descriptions of its APIs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const descriptionFolder = join(import.meta.dirname, 'api');

export function areDescriptionsInstalled(): boolean {
  return ['openapi', 'graphql-schema'].every((name) =>
    existsSync(join(descriptionFolder, 'node_modules/@octokit', name, 'package.json')),
  );
}
