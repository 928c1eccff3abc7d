/** Opens an address in the user's browser, if there is one. */
import { spawn } from 'node:child_process';
import { browserCommand, thisPlatform, type Platform } from '../../system/platform.ts';
import type { Session } from '../session.ts';

/** Returns false without a browser. The browser outlives this process. */
export function openBrowser(
  { env, cwd }: Pick<Session, 'env' | 'cwd'>,
  address: string,
  platform: Platform = thisPlatform,
): Promise<boolean> {
  const command = browserCommand(env, platform);
  if (command === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command.file, [...command.args, address], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: 'ignore',
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
