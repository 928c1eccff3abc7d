import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** An empty folder for the package of this test run; the first test that needs it installs it there. */
    packedFolder: string;
  }
}

/** Gives one test run one folder, so that the tarball is packed and installed once, and only if a test asks. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'collab-packed-'));
  project.provide('packedFolder', folder);
  // A process of the last test may still be writing there; an error here would fail the run without a word in its report.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
