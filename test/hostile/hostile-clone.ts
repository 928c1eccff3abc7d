/**
 * A clone whose author tries to choose the started program, with real npm and two registries on loopback: the user's,
 * which has the package, and the clone's.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { startRegistryServer, type RegistryServer } from '../runner/registry-server.ts';

export const repository = join(import.meta.dirname, '../..');
export const manifest = { name: 'codex-collab', version: packageJson.version };

/** The folders of node and npm; git is beside them or in the system's folders. */
const systemPath = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];

/** All paths are relative to the root, a new folder for each test. */
interface HostileClone {
  readonly root: string;
  readonly clone: string;
  readonly write: (path: string, text: string, mode?: number) => void;
  readonly script: (path: string, text: string) => void;
  /** A program that leaves its name in the trace. */
  readonly program: (path: string, name: string) => void;
  /** Returns the path of a new link. */
  readonly link: (path: string, target: string) => string;
  readonly git: (...args: readonly string[]) => void;
  /** Returns a whole environment, with these entries of PATH before those of the system. */
  readonly environment: (
    path: readonly string[],
    more?: Readonly<Record<string, string>>,
  ) => Record<string, string>;
  /** A statement of JavaScript that leaves a name in the trace. */
  readonly attack: (name: string) => string;
  /** The names in the trace, one on each line. */
  readonly trace: () => string;
  /** The clone's registry. */
  readonly theirs: RegistryServer;
}

/** Makes the registries for the file and a clone for each test. The user's package consists of one statement. */
export function useHostileClone(honestStatement: string): HostileClone {
  let packed: string;
  let users: RegistryServer;
  let theirs: RegistryServer;
  let root: string;

  beforeAll(async () => {
    packed = realpathSync(mkdtempSync(join(tmpdir(), 'collab-registry-')));
    makePackage(join(packed, 'honest'), honestStatement);
    execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], { cwd: join(packed, 'honest') });
    const tarball = join(packed, `${manifest.name}-${manifest.version}.tgz`);
    const described = { ...manifest, bin };
    users = await startRegistryServer([{ manifest: described, tarball }]);
  });

  afterAll(async () => {
    await users.close();
    rmSync(packed, { recursive: true, force: true });
  });

  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-hostile-')));
    theirs = await startRegistryServer([]);
    mkdirSync(join(root, 'tmp'));
    write('home/.npmrc', `registry=${users.url}/\nupdate-notifier=false\n`);
    git('init', '--quiet', join(root, 'clone'));
    write('clone/.npmrc', `registry=${theirs.url}/\n`);
  });

  afterEach(async () => {
    await theirs.close();
    rmSync(root, { recursive: true, force: true });
  });

  function write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  }

  const script = (path: string, text: string): void => write(path, `#!/bin/sh\n${text}\n`, 0o755);
  const traceFile = (): string => join(root, 'trace');

  return {
    get root() {
      return root;
    },
    get clone() {
      return join(root, 'clone');
    },
    write,
    script,
    program: (path, name) => script(path, `echo '${name}' >>'${traceFile()}'`),
    link(path, target) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(join(root, target), join(root, path));
      return join(root, path);
    },
    git,
    environment: (path, more = {}) => ({
      PATH: [...path, ...systemPath].join(delimiter),
      HOME: join(root, 'home'),
      TMPDIR: join(root, 'tmp'),
      TRACE: traceFile(),
      LANG: 'C.UTF-8',
      ...more,
    }),
    attack: (name) =>
      `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(traceFile())}, '${name}\\n');`,
    trace: () => (existsSync(traceFile()) ? readFileSync(traceFile(), 'utf8') : ''),
    get theirs() {
      return theirs;
    },
  };
}

const bin = { collab: 'bin/collab' };

/** A whole package: the real launcher, and a bundle of one statement. */
export function makePackage(folder: string, statement: string, version: string = manifest.version): void {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version, type: 'module', bin }));
  writeFileSync(join(folder, 'dist/main.cjs'), statement);
  cpSync(join(repository, 'bin'), join(folder, 'bin'), { recursive: true });
}

function git(...args: readonly string[]): void {
  execFileSync('git', [...args], { stdio: 'pipe' });
}
