// Collects the notices that the licenses of bundled packages require: name, version, license, and the license text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const line = '-'.repeat(80);

/** Lists every package that contains one of `modules` (paths of bundled files). */
export function thirdPartyNotices(modules) {
  const folders = [...new Set(modules.map(packageFolder).filter((folder) => folder !== null))];
  const notices = folders.map(notice).toSorted();
  return ['This package contains code of the following packages.', ...new Set(notices)].join(`\n${line}\n`);
}

function packageFolder(path) {
  return /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path)?.[1] ?? null;
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)\b/i.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
