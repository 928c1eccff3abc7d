/**
 * Git's paths: bytes, which need not be UTF-8. As keys they are text of one character per byte (latin1), which is exact
 * in both directions.
 */
import { Buffer } from 'node:buffer';

export type BytePath = string;

export function toBytePath(bytes: Buffer): BytePath {
  return bytes.toString('latin1');
}

export function toBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** Returns a readable path. */
export function toText(path: BytePath): string {
  return toBytes(path).toString('utf8');
}

/** Returns the path on disk. */
export function bytesBelow(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), toBytes(path)]);
}

/**
 * Environment files hold secrets, `.collab` holds our own records: the lead sees neither, and our commits contain
 * neither.
 */
export function isKeptOut(path: Buffer): boolean {
  return toBytePath(path)
    .toLowerCase()
    .split('/')
    .some((part) => part === '.collab' || part.startsWith('.env'));
}

/**
 * Returns true for a path that leads out of its folder or into git's own: some systems read `.GIT` and `git~1` as `.git`.
 */
export function isUnsafe(path: BytePath): boolean {
  return (
    path.includes('\0') ||
    (process.platform === 'win32' && /[\\:]/.test(path)) ||
    path
      .toLowerCase()
      .split('/')
      .some((part) => ['', '.', '..'].includes(part) || /^(?:\.git|git~1)[ .]*$/.test(part))
  );
}
