import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { topFolder } from '../../config/load-config.ts';
import type { Finding } from '../../events/collab-event.ts';
import { isInside } from '../../system/is-inside.ts';
import type { RunInput } from './run-input.ts';

export interface ProjectPlace {
  /** Absolute path. */
  readonly file: string;
  /** Counted from 1; null if the finding has no line, or one of the old side. */
  readonly line: number | null;
}

/** Returns the place of a finding in the project as it is now; null if there is no such file in the project. */
export function placeInProject(
  input: RunInput,
  { path, side, start_line: line }: Pick<Finding, 'path' | 'side' | 'start_line'>,
): ProjectPlace | null {
  // A run that was submitted elsewhere has no folder.
  if (path === null || input.cwd === '') return null;
  const root = projectOf(input);
  const file = join(root, path);
  return isInside(file, root) && existsSync(file) ? { file, line: side === 'old' ? null : line } : null;
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
