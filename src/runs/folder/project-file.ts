import { join } from 'node:path';
import { topFolder } from '../../config/load-config.ts';
import type { Finding } from '../../events/collab-event.ts';
import { isInside } from '../../system/is-inside.ts';
import type { RunInput } from './run-input.ts';

/**
 * Returns the absolute path of a finding's file in the project of the run, whether it is there or not; null if the finding
 * has no file, or its path leads out of the project.
 */
export function projectFileOf(input: RunInput, { path }: Pick<Finding, 'path'>): string | null {
  if (path === null) return null;
  const root = projectOf(input);
  const file = join(root, path);
  return isInside(file, root) ? file : null;
}

function projectOf(input: RunInput): string {
  switch (input.kind) {
    case 'review':
      return input.change.files?.root ?? topFolder(input.cwd);
    case 'consult':
      return input.files?.root ?? topFolder(input.cwd);
    case 'workflow':
    case 'fix':
      return topFolder(input.cwd);
  }
}
