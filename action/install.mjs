// Installs collab in the version of this action, and Codex if it can be used, into one of the runner's own folders.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { addPath, Refusal, runStep, setOutput } from './runner.mjs';

/** The version in our tests. */
const testedCodex = '0.169.0';
const exactVersion = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

await runStep(() => {
  refuseOldNode();
  const { INPUT_VERSION: version = '', RUNNER_TEMP: temporary = '' } = process.env;
  const folder = mkdtempSync(join(temporary, 'collab-install-'));
  const packages = [`codex-collab@${exact('version', version) ?? ownVersion()}`, ...codexPackage()];
  install(folder, packages);
  addPath(join(folder, 'node_modules/.bin'));
  setOutput('command', join(folder, 'node_modules/codex-collab/bin/collab'));
  return 0;
});

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Refusal(
    `collab needs Node 20.19 or newer, and this runner has ${process.version}: put actions/setup-node before this step`,
  );
}

/** Returns null if no version is requested. A range or a tag would install another version tomorrow. */
function exact(name, version) {
  if (version === '') return null;
  if (exactVersion.test(version)) return version;
  throw new Refusal(`${name} takes an exact version such as ${ownVersion()}, not "${version}"`);
}

function ownVersion() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** Requires a key: a newly installed Codex has no login. */
function codexPackage() {
  const {
    INPUT_ADVISOR: advisor = '',
    INPUT_CODEX_VERSION: version = '',
    INPUT_HAS_KEY: hasKey,
  } = process.env;
  const wanted = exact('codex-version', version) ?? testedCodex;
  const advises = ['', 'auto', 'codex'].includes(advisor.split(':')[0]);
  const key = hasKey === 'true' || (process.env['CODEX_API_KEY'] ?? '') !== '';
  return advises && key && !isOnPath('codex') ? [`@openai/codex@${wanted}`] : [];
}

function isOnPath(program) {
  const names = process.platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program];
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => names.some((name) => existsSync(join(folder, name))));
}

/** Not in the checkout: an .npmrc of the change under review would decide where packages come from. */
function install(folder, packages) {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 1, 1], shell });
  if (status === 0) return;
  const why = error?.message ?? `npm ended with ${status ?? 'a signal'}`;
  throw new Refusal(
    `${packages.join(' and ')} could not be installed: ${why}; the log has npm's own message`,
  );
}
