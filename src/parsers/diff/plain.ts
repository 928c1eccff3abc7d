/** What two names say of a file where no `diff --git` line says more. */
import type { FileHeader } from './header.ts';
import { stripPrefixes, type NamePair } from './names.ts';

/** Null where no path can be told. `absent`: what else says that a side is not there. */
export function plainHeader(
  written: NamePair,
  absent: { readonly old: boolean; readonly new: boolean },
): FileHeader | null {
  const names = stripPrefixes(written);
  const path = names.new ?? names.old;
  if (path === null || path === '') return null;
  if (names.old === null || absent.old) return { ...bareHeader(path), oldPath: null, change: 'added' };
  if (names.new === null || absent.new) return { ...bareHeader(names.old), change: 'deleted' };
  return { ...bareHeader(path), oldPath: names.old, change: names.old === path ? 'modified' : 'renamed' };
}

export function bareHeader(path: string): FileHeader {
  return {
    path,
    oldPath: path,
    change: 'modified',
    binary: false,
    oldBlob: null,
    newBlob: null,
    oldMode: null,
    newMode: null,
  };
}
