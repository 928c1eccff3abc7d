import { rmSync } from 'node:fs';
import { chromium, type BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { isAlive } from '../fixtures/is-alive.ts';
import { artefacts } from './artefacts.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the test run's one Chromium. */
    browserEndpoint: string;
  }
}

/** Starts one headless Chromium, with a user-data folder of its own, for the whole test run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env['COLLAB_TEST_CHROMIUM'];
  if (executablePath === undefined) throw new Error('Start these tests with: npm run test:browser');
  rmSync(artefacts, { recursive: true, force: true });
  const server = await chromium.launchServer({
    executablePath,
    headless: true,
    // Chromium's sandbox refuses to run as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE [::1]'],
  });
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => end(server);
}

async function end(server: BrowserServer): Promise<void> {
  const { pid } = server.process();
  await server.close();
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
}
