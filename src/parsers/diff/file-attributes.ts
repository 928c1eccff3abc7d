/** Facts about a file from the old side: its `.gitattributes`, and whether it was binary. */
export interface FileAttributes {
  /** The value of `linguist-generated` or `linguist-vendored`; null if unset. */
  readonly generated: boolean | null;
  readonly vendored: boolean | null;
  /** False for `-diff`, which `binary` implies: git itself would not show its lines. */
  readonly shown: boolean;
  /** True if git could not show its old content as text. */
  readonly wasBinary?: true | undefined;
}

/** The attributes of a file without any on the old side. */
export const noAttributes: FileAttributes = { generated: null, vendored: null, shown: true };

/** Attributes by path. Files without attributes are not included. */
export type AttributesByPath = Readonly<Record<string, FileAttributes>>;

export const readAttributeNames = ['linguist-generated', 'linguist-vendored', 'diff'] as const;

/** Reads the output of `git check-attr -z`: path, attribute and value, each terminated by NUL. */
export function readAttributes(output: string): AttributesByPath {
  const fields = output.split('\0');
  const found = new Map<string, FileAttributes>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = '', name = '', value = ''] = fields.slice(index, index + 3);
    if (value === 'unspecified') continue;
    const known = found.get(path) ?? noAttributes;
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
