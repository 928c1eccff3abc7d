// Finds a Chromium on this machine, for the tests and the benchmark that need a browser.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const chromiumNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

/** @returns its path; undefined if none is on PATH */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const files = chromiumNames.flatMap((name) => (process.platform === 'win32' ? [`${name}.exe`] : [name]));
  return folders.flatMap((folder) => files.map((file) => join(folder, file))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
