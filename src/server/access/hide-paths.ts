/**
 * Guests get no path of the machine: in every answer and frame for them, the machine's folders are replaced. This is the
 * last step before the wire, because errors, results and agents can name a folder anywhere in a text.
 */
import { createMiddleware } from 'hono/factory';
import { homedir, tmpdir } from 'node:os';
import { localTenant } from '../../access/speaker.ts';
import { stateBases } from '../../runs/folder/state-folder.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { packageFolder } from '../../system/package-folder.ts';

/** Returns how a tenant may see a text; null for the owner, who sees it as it is. */
export type PathHider = (tenant: string) => ((text: string) => string) | null;

export interface MachineFolders {
  /** The served folder. */
  readonly cwd: string;
  /** The folder of its runs. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function createPathHider({ cwd, home, env }: MachineFolders): PathHider {
  const { HOME, USERPROFILE, XDG_CONFIG_HOME } = env;
  const own = [
    cwd,
    home,
    homedir(),
    HOME,
    USERPROFILE,
    XDG_CONFIG_HOME,
    packageFolder(),
    ...stateBases({ env }),
  ];
  const folders = [...own, env['TMPDIR'], tmpdir()].filter((path) => path !== undefined);
  // A folder comes before the one above it.
  const places = [
    ...new Set(folders.flatMap((path) => (path === '' ? [] : [path, realPlace(path)]))),
  ].toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(
    String.raw`(?<=^|[^\w.~-]|\\[bfnrt]|\\u[0-9a-f]{4})(?:${places.flatMap(patternsOf).join('|')})(?![\w-])`,
    'g',
  );
  const hide = (text: string): string => text.replace(pattern, hiddenFolder);
  return (tenant) => (tenant === localTenant ? null : hide);
}

const hiddenFolder = '…';

/**
 * Returns the patterns of a folder. One at the root, such as `/tmp` or `/app`, keeps its name, which reveals nothing and may
 * be in the change under review: only collab's own files in it are replaced.
 */
function patternsOf(folder: string): readonly string[] {
  const spellings = [...new Set([folder, JSON.stringify(folder).slice(1, -1)])].map(escaped);
  const isAtRoot = folder.split(/[/\\]/).filter((part) => part !== '').length < 2;
  const ours = spellings.map((path) => String.raw`${path}[/\\]+(?:collab-[\w.-]+|\.collab)`);
  return isAtRoot ? ours : [...ours, ...spellings];
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Replaces folders in what a route answers to a guest. Frames of streams are written past it. */
export function hidePathsInAnswers(hidePaths: PathHider) {
  return createMiddleware<{ Variables: { tenant?: string } }>(async (context, next) => {
    await next();
    const { res } = context;
    // Without a tenant, the request was refused before it had one.
    const hide = hidePaths(context.var.tenant ?? '');
    if (hide === null || res.body === null) return;
    context.res = new Response(hide(await res.text()), { status: res.status, headers: res.headers });
  });
}
