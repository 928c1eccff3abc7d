/** Tool names: their rules, and their encoding for APIs that do not allow dots (X004-2). */

const namePattern = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
/** Limit of the strictest APIs: `^[a-zA-Z0-9_-]{1,64}$`. */
const apiNameLimit = 64;

/** Returns the reason why a tool cannot have this name; null if it can. */
export function faultOfName(name: string): string | null {
  if (!namePattern.test(name)) {
    return 'a name is made of letters, digits, _ and -, in parts with a dot between them, such as fs.read';
  }
  return encodeToolName(name).length > apiNameLimit
    ? `a name has ${apiNameLimit} characters at the most, a dot or a hyphen counting twice`
    : null;
}

/**
 * Encodes a dot as `--` and a hyphen as `-_`: a hyphen is always followed by one of the two, so decoding is unambiguous.
 */
export function encodeToolName(name: string): string {
  return name.replace(/[.-]/g, (mark) => (mark === '.' ? '--' : '-_'));
}

/** Returns a name that is not an encoded one unchanged; a model may have invented it. */
export function decodeToolName(written: string): string {
  if (/-(?![-_])/.test(written.replace(/-[-_]/g, ''))) return written;
  return written.replace(/-[-_]/g, (pair) => (pair === '--' ? '.' : '-'));
}
