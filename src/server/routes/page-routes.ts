/** Serves the page: the files of the build folder and nothing else on the disk. */
import { existsSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { Hono, type Context } from 'hono';
import { accepts } from 'hono/accepts';
import { readNamed } from '../../system/files/read.ts';

export interface PageOptions {
  /** The folder with `index.html` and the files it loads. */
  readonly folder: string;
}

/** Allows only the page's own scripts, nothing from other sites, and no embedding in frames. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

export function pageRoutes({ folder }: PageOptions): Hono {
  const routes = new Hono();
  const all = filesBelow(folder);
  const files = all.filter((name) => !isCompressed(name, all));
  if (!files.includes('index.html')) {
    return routes.get('/', (context) => context.text(notBuilt, 503, { 'cache-control': 'no-store' }));
  }
  for (const name of files) {
    const path = name === 'index.html' ? '/' : `/${name}`;
    // Read on each request, so that a rebuilt page is served without a restart.
    routes.get(path, (context) => {
      const coding = codings.find((one) => all.includes(name + one.ending) && takes(context, one.name));
      const headers = { ...headersOf(name), vary: 'accept-encoding' };
      if (coding === undefined) return new Response(readNamed(join(folder, name)), { headers });
      const body = readNamed(join(folder, name + coding.ending));
      return new Response(body, { headers: { ...headers, 'content-encoding': coding.name } });
    });
  }
  return routes;
}

/** The compressed forms that the build writes beside a file, the smallest first. */
const codings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

function isCompressed(name: string, all: readonly string[]): boolean {
  return codings.some(({ ending }) => name.endsWith(ending) && all.includes(name.slice(0, -ending.length)));
}

function takes(context: Context, coding: string): boolean {
  const header = 'Accept-Encoding';
  return accepts(context, { header, supports: [coding], default: 'identity' }) === coding;
}

const notBuilt =
  'The page is not built. In a clone: npm run build. The routes of the server work without it.\n';

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Marks assets as cacheable, because the build names them by their content. */
function headersOf(name: string): Readonly<Record<string, string>> {
  const isNamedByContent = name.startsWith('assets/');
  return {
    ...securityHeaders,
    'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
    'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}
