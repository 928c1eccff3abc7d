/** Paths as text, or as bytes where git names a file that need not be UTF-8. */
import { basename, dirname, join } from 'node:path';

/** Bytes are an absolute, normalized path with `/` between its parts. */
export type Place = string | Buffer;

export function folderOf(place: Place): Place {
  if (typeof place === 'string') return dirname(place);
  return place.subarray(0, Math.max(1, place.lastIndexOf('/')));
}

export function nameOf(place: Place): Place {
  return typeof place === 'string' ? basename(place) : place.subarray(place.lastIndexOf('/') + 1);
}

export function below(folder: Place, name: Place): Place {
  if (typeof folder === 'string' && typeof name === 'string') return join(folder, name);
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), Buffer.from(name)]);
}
