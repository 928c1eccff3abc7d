/** What `.gitattributes` says of a file, as far as it decides whether somebody reads it. */
export interface FileAttributes {
  /** Null where nothing is said. `linguist-generated`, `linguist-vendored`. */
  readonly generated: boolean | null;
  readonly vendored: boolean | null;
  /** False: `-diff`, which `binary` implies: git itself would not show its lines. */
  readonly shown: boolean;
}

/** By path. Files of which nothing is said are not in it. */
export type AttributesByPath = Readonly<Record<string, FileAttributes>>;

export const readAttributeNames = ['linguist-generated', 'linguist-vendored', 'diff'] as const;

/** Reads what `git check-attr -z` writes: path, attribute and value, each ended by NUL. */
export function readAttributes(output: string): AttributesByPath {
  const fields = output.split('\0');
  const found = new Map<string, FileAttributes>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = '', name = '', value = ''] = fields.slice(index, index + 3);
    if (value === 'unspecified') continue;
    const known = found.get(path) ?? { generated: null, vendored: null, shown: true };
    found.set(path, withAttribute(known, name, value));
  }
  return Object.fromEntries(found);
}

function withAttribute(known: FileAttributes, name: string, value: string): FileAttributes {
  const isSet = value !== 'unset' && value !== 'false';
  if (name === 'linguist-generated') return { ...known, generated: isSet };
  if (name === 'linguist-vendored') return { ...known, vendored: isSet };
  return { ...known, shown: value !== 'unset' };
}
