/** Returns the flag of a request's key: `failOn` is `--fail-on`, and `cache: false` is `--no-cache`. */
export function flagOf(key: string, value: unknown): string {
  return `--${value === false ? 'no-' : ''}${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
