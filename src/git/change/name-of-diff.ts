/** Returns `src/a.ts`, or `src/a.ts +2` for three files; null for bytes, and if the first path is quoted or there is none. */
export function nameOfDiff(diff: string | Uint8Array): string | null {
  if (typeof diff !== 'string') return null;
  const heads = diff.match(/^diff --git .*$/gm) ?? [];
  const path = /^diff --git a\/.+ b\/(.+?)\r?$/.exec(heads[0] ?? '')?.[1];
  if (path === undefined) return null;
  return heads.length === 1 ? path : `${path} +${heads.length - 1}`;
}
