/** Everything that differs by operating system. Each function takes the platform, so one table of tests covers them. */
import { posix, win32 } from 'node:path';

export interface Platform {
  readonly os: NodeJS.Platform;
  readonly arch: string;
}

export const thisPlatform: Platform = { os: process.platform, arch: process.arch };

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the file names that a program may have in a folder of PATH, in the order of lookup. */
export function programNames(name: string, env: Environment, { os }: Platform): readonly string[] {
  if (os !== 'win32') return [name];
  const extensions = variable('PATHEXT', env, 'win32') ?? '.COM;.EXE;.BAT;.CMD';
  return extensions
    .split(';')
    .filter((extension) => extension !== '')
    .map((extension) => `${name}${extension.toLowerCase()}`);
}

/** Returns the absolute folders of PATH, in order. A relative entry depends on the current folder and is left out. */
export function pathFolders(env: Environment, { os }: Platform): readonly string[] {
  const { delimiter, isAbsolute } = pathRules(os);
  return (variable('PATH', env, os) ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

export function joinPath(folders: readonly string[], { os }: Platform): string {
  return folders.join(pathRules(os).delimiter);
}

/** Returns the folders of the system's own programs; enough for a shell and its basic tools. */
export function systemFolders(env: Environment, { os }: Platform): readonly string[] {
  if (os !== 'win32') return ['/usr/bin', '/bin'];
  const root = variable('SystemRoot', env, os) ?? String.raw`C:\Windows`;
  return [win32.join(root, 'System32'), root];
}

/** Returns the variables without which programs of this system do not start. */
export function neededVariables({ os }: Platform): readonly string[] {
  return os === 'win32' ? ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP'] : [];
}

/** Returns the variables that point a program to its home. */
export function homeVariables(home: string, { os }: Platform): Readonly<Record<string, string>> {
  return os === 'win32' ? { HOME: home, USERPROFILE: home } : { HOME: home };
}

/** Returns the named variables that are not empty, proxies and certificates, and those without which no program starts. */
export function passedOn(
  names: readonly string[],
  env: Environment,
  platform: Platform,
): Readonly<Record<string, string>> {
  const passed = [...names, ...networkVariables, ...neededVariables(platform)].flatMap((name) => {
    const value = variable(name, env, platform.os);
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(passed);
}

const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'ALL_PROXY'];
const networkVariables = [
  ...proxies,
  ...proxies.map((name) => name.toLowerCase()),
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** Returns a variable by name, on Windows in any case. */
export function variable(name: string, env: Environment, os: NodeJS.Platform): string | undefined {
  if (os !== 'win32') return env[name];
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}

/** Returns Rust's name for this system, as in the folders of native npm packages; null if none is published. */
export function rustTarget({ os, arch }: Platform): string | null {
  const cpu = arch === 'x64' ? 'x86_64' : arch === 'arm64' ? 'aarch64' : null;
  if (cpu === null) return null;
  if (os === 'linux' || os === 'android') return `${cpu}-unknown-linux-musl`;
  if (os === 'darwin') return `${cpu}-apple-darwin`;
  return os === 'win32' ? `${cpu}-pc-windows-msvc` : null;
}

export function nativeProgram(name: string, { os }: Platform): string {
  return os === 'win32' ? `${name}.exe` : name;
}

/** Returns a program that starts another one so that the kernel ends it with its parent (util-linux); null if there is none. */
export function deathSignalProgram({ os }: Platform): string | null {
  return os === 'linux' ? '/usr/bin/setpriv' : null;
}

/** Returns the shell for which the lifeline is written; null on Windows. */
export function systemShell({ os }: Platform): string | null {
  return os === 'win32' ? null : '/bin/sh';
}

/** Returns the command that opens an address in the user's browser; null without a screen. */
export function browserCommand(
  env: Environment,
  { os }: Platform,
): { readonly file: string; readonly args: readonly string[] } | null {
  if (os === 'darwin') return { file: 'open', args: [] };
  if (os === 'win32') return { file: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((screen) => (screen ?? '') !== '');
  return hasScreen ? { file: 'xdg-open', args: [] } : null;
}

function pathRules(os: NodeJS.Platform): Pick<typeof posix, 'delimiter' | 'isAbsolute'> {
  return os === 'win32' ? win32 : posix;
}
