// Writes an entry into package-lock.json for every platform package that npm left out of it. npm does so when it created
// the lock on another platform or could not fetch those packages; `npm ci` then rejects the lock. Then asks npm for each
// digest that a lock lacks. Packages that the registry does not serve are listed and stay without a digest.
//
// node scripts/complete-lock.mjs [<lock>...]   (default: all locks of this repository)
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*package-lock.json'];
const own = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).trim().split('\n');
const named = process.argv.slice(2);
const npm = promisify(execFile);

let lock;
const missing = [];
for (const path of named.length > 0 ? named : own.map((name) => join(root, name))) {
  lock = JSON.parse(readFileSync(path, 'utf8'));
  for (const [owner, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) complete(owner, name, version);
  }
  await addDigests();
  const sorted = Object.entries(lock.packages).toSorted(([left], [right]) => left.localeCompare(right, 'en'));
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
}
if (missing.length > 0)
  process.stderr.write(`without a digest, because the registry has none:\n${missing.join('\n')}\n`);

async function addDigests() {
  for (const [place, { version, integrity, link, ...rest }] of Object.entries(lock.packages)) {
    if (place === '' || integrity !== undefined || link === true) continue;
    const asked = `${place.split('node_modules/').at(-1)}@${version}`;
    const digest = await digestOf(asked);
    if (digest === null) missing.push(asked);
    else lock.packages[place] = { version, integrity: digest, ...rest };
  }
}

async function digestOf(asked) {
  try {
    const { stdout } = await npm('npm', ['view', asked, 'dist.integrity', '--json']);
    const digest = JSON.parse(stdout);
    return typeof digest === 'string' && digest.startsWith('sha512-') ? digest : null;
  } catch {
    return null;
  }
}

function complete(owner, name, version) {
  const found = placesFrom(owner, name).find((place) => lock.packages[place] !== undefined);
  if (found !== undefined && fits(lock.packages[found].version, version)) return;
  const place = found === undefined ? `node_modules/${name}` : `${owner}/node_modules/${name}`;
  const { dev } = lock.packages[owner];
  lock.packages[place] = {
    version,
    ...platformOf(name),
    ...(dev === true ? { dev } : {}),
    optional: true,
  };
}

/** Returns the places where Node would look for a package, nearest first. */
function placesFrom(owner, name) {
  const places = [];
  for (
    let folder = owner;
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    places.push(`${folder}/node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`];
}

/** Platform packages are required by their exact version; npm has resolved any range already. */
function fits(version, wanted) {
  return version === wanted || /^[\^~>]/.test(wanted);
}

/**
 * Returns the fields by which npm skips the package on other platforms, derived from its name, e.g.
 * `binding-linux-x64-musl`.
 */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const cpu = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32'].find((each) =>
    words.includes(each),
  );
  const os = ['linux', 'darwin', 'win32', 'android', 'freebsd', 'openharmony'].find((each) =>
    words.includes(each),
  );
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.includes('gnu')
      ? 'glibc'
      : undefined;
  if (cpu === undefined) throw new Error(`no platform can be read from ${name}`);
  return {
    ...(os === undefined ? {} : { os: [os] }),
    cpu: [cpu],
    ...(os === 'linux' && libc !== undefined ? { libc: [libc] } : {}),
  };
}
