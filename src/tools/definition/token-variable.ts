/**
 * Returns the environment variable that holds a token for a program: never `PATH` or another one that programs depend on.
 */
export function tokenVariable(name: string): string {
  return `COLLAB_TOKEN_${name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
}
