// Writes an entry into package-lock.json for every platform package that npm left out of it. npm does so when it created
// the lock on another platform or could not fetch those packages; `npm ci` then rejects the lock.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));

for (const [owner, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) complete(owner, name, version);
}
const sorted = Object.entries(lock.packages).toSorted(([left], [right]) => left.localeCompare(right, 'en'));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);

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
