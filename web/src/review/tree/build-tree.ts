/** The changed files as folders. A folder with one folder alone is one row with it, as hosts show it. */
export type TreeNode<File> =
  | {
      readonly kind: 'folder';
      /** `src/checkout` */
      readonly name: string;
      /** From the root; unique among folders. */
      readonly path: string;
      readonly children: readonly TreeNode<File>[];
    }
  | { readonly kind: 'file'; readonly name: string; readonly file: File };

interface Folder<File> {
  readonly folders: Map<string, Folder<File>>;
  readonly files: { readonly name: string; readonly file: File }[];
}

/** Folders come before files, each in the order of the names. */
export function buildTree<File extends { readonly path: string }>(
  files: readonly File[],
): readonly TreeNode<File>[] {
  const root = emptyFolder<File>();
  for (const file of files) {
    const names = file.path.split('/');
    const name = names.pop() ?? '';
    let folder = root;
    for (const part of names) {
      const inner = folder.folders.get(part) ?? emptyFolder<File>();
      folder.folders.set(part, inner);
      folder = inner;
    }
    folder.files.push({ name, file });
  }
  return childrenOf(root, '');
}

function emptyFolder<File>(): Folder<File> {
  return { folders: new Map(), files: [] };
}

function childrenOf<File>({ folders, files }: Folder<File>, above: string): readonly TreeNode<File>[] {
  return [
    ...[...folders]
      .toSorted(([one], [other]) => compareNames(one, other))
      .map(([name, folder]) => folderNode(name, folder, above)),
    ...files
      .toSorted((one, other) => compareNames(one.name, other.name))
      .map((file) => ({ kind: 'file', ...file }) as const),
  ];
}

function folderNode<File>(name: string, folder: Folder<File>, above: string): TreeNode<File> {
  const [only] = folder.folders;
  if (only !== undefined && folder.folders.size === 1 && folder.files.length === 0)
    return folderNode(`${name}/${only[0]}`, only[1], above);
  const path = `${above}${name}/`;
  return { kind: 'folder', name, path, children: childrenOf(folder, path) };
}

function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
