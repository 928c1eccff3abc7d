/** Names of tools: how they may look, and how they are written for APIs that know no dots (X004-2). */

const namePattern = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
/** Of the APIs that are strictest: `^[a-zA-Z0-9_-]{1,64}$`. */
const apiNameLimit = 64;

/** Why a name cannot be a tool's; null where it can. */
export function faultOfName(name: string): string | null {
  if (!namePattern.test(name)) {
    return 'a name is made of letters, digits, _ and -, in parts with a dot between them, such as fs.read';
  }
  return encodeToolName(name).length > apiNameLimit
    ? `a name has ${apiNameLimit} characters at the most, a dot or a hyphen counting twice`
    : null;
}

/** A dot becomes `--`, a hyphen `-_`: after a hyphen there is always one of the two, so the way back is plain. */
export function encodeToolName(name: string): string {
  return name.replace(/[.-]/g, (mark) => (mark === '.' ? '--' : '-_'));
}

/** What no tool's name is written as comes back as it is; a model may have made it up. */
export function decodeToolName(written: string): string {
  if (/-(?![-_])/.test(written.replace(/-[-_]/g, ''))) return written;
  return written.replace(/-[-_]/g, (pair) => (pair === '--' ? '.' : '-'));
}
