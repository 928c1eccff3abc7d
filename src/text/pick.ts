/** Returns the named fields of an object. */
export function pick<From extends object, const Key extends keyof From>(
  from: From,
  keys: readonly Key[],
): Pick<From, Key>;
export function pick(from: object, keys: readonly PropertyKey[]): object {
  return Object.fromEntries(keys.map((key): [PropertyKey, unknown] => [key, Reflect.get(from, key)]));
}
