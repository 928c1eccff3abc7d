/** Builds a file's header from two names if no `diff --git` line says more. */
import type { FileHeader } from './header.ts';
import { stripPrefixes, type NamePair } from './names.ts';

/** Returns null if no path can be determined. `absent`: other evidence that a side does not exist. */
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
