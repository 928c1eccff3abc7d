/**
 * Paths as git has them: bytes, which need be no UTF-8. Where they are keys they are text of one character a byte (latin1),
 * which is exact both ways.
 */
import { Buffer } from 'node:buffer';

export type BytePath = string;

export function toBytePath(bytes: Buffer): BytePath {
  return bytes.toString('latin1');
}

export function toBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** For people. */
export function toText(path: BytePath): string {
  return toBytes(path).toString('utf8');
}

/** Where the path lies on the disk. */
export function below(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), toBytes(path)]);
}

/** Environment files hold secrets, `.collab` our own records: the lead sees neither, and neither enters a commit of ours. */
export function isKeptOut(path: Buffer): boolean {
  return toBytePath(path)
    .toLowerCase()
    .split('/')
    .some((part) => part === '.collab' || part.startsWith('.env'));
}

/** A path that leads out of its folder or into git's own: some systems read `.GIT` and `git~1` as `.git`. */
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
