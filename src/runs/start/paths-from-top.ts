import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { topFolder } from '../../config/load-config.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { StartPlace } from './start-place.ts';
import type { ReviewStart } from './start-request.ts';

/** Returns the paths of a request as the change names them; null if it names none. @throws CollabError `usage` */
export function pathsFromTop(
  { paths = [] }: Pick<ReviewStart, 'paths'>,
  { cwd }: Pick<StartPlace, 'cwd'>,
): string[] | null {
  if (paths.length === 0) return null;
  const top = topFolder(resolve(cwd));
  return paths.map((path) => {
    const way = relative(top, resolve(cwd, path));
    if (path === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
      throw new CollabError('usage', `the path "${path}" is not in ${top}`, {
        hint: 'name files and folders of the repository, relative to the current folder',
      });
    }
    return way === '' ? '.' : way.split(sep).join(posix.sep);
  });
}
