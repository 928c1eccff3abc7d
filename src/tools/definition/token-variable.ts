/** The variable in which a program finds a token: it can be neither `PATH` nor another one that something goes by. */
export function tokenVariable(name: string): string {
  return `COLLAB_TOKEN_${name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
}
