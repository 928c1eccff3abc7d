import type { ReviewIssue } from '../answers/answer-types.ts';

export type IssueLocation = NonNullable<ReviewIssue['location']>;

export interface FoundLocation {
  readonly location: IssueLocation;
  /** Offset in the text, delimiters included. */
  readonly start: number;
  readonly end: number;
}

/** In characters; a place further on is not the issue's own, and some patterns take quadratic time. */
const longestSearched = 2000;
const lineNumbers =
  '(?:L|lines? |行)?\\s*(\\d{1,7})(?::\\d+)?(?:\\s*(?:[-–—~〜]|to|,)\\s*L?(\\d{1,7}))?(?:\\s*行目?)?';
const pathAndLines = new RegExp(
  `^(.+?)\\s*(?::|：|#|,? (?=lines? |L\\d)|[(（](?=L|lines? ))\\s*${lineNumbers}[)）]?$`,
);
const codeSpan =
  /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)(?:\s*[(（]?\s*(?:,? (?:at )?)?(?:L|lines? )(\d{1,7})(?:\s*[-–—~]\s*L?(\d{1,7}))?[)）]?)?/gi;
const link = /\[([^\]]+)\]\([^)\s]*\)/g;
const word =
  /(?<![\w/.:@-])((?:\.{0,2}\/)?(?:[\w@.+[\]()-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}|(?:[\w@.+-]+\/)+[\w@.+-]+)(?:(?::|#L|,? lines? | L)(\d{1,7})(?::\d+)?(?:\s*[-–—~]\s*L?(\d{1,7}))?)?/g;

/**
 * Tells files from code: `total.ts` is a file, `cart.total` is not. Needed only for a name without a folder and a line.
 */
const fileExtensions = new Set(
  `astro bash c cc cfg cjs conf cpp cs css csv cts dart env erl ex exs go gradle graphql h hpp hs html ini ipynb java jl
  js json jsonc jsx kt kts less lock lua m md mdx mjs mm mts php pl proto ps1 py r rb rs rst sass scala scss sh sql
  svelte svg swift tf toml ts tsx txt vue xml yaml yml zig`.split(/\s+/),
);

/** Matches text that no file name contains: code, an address, a version. */
const codeOrNumber = /[*<>|"'`=;{}]|\(\)|:\/\/|::|^\d+(?:\.\d+)*$/;

/** Reads a text that contains only a place: `src/a.ts:41-43`, `src/a.ts#L41`, `src/a.ts`. */
export function parseLocation(text: string): IssueLocation | null {
  const bare = text.trim();
  if (bare === '' || bare.length > longestSearched || /[\r\n]/.test(bare) || bare.includes('://'))
    return null;
  const match = pathAndLines.exec(bare);
  return match === null
    ? { path: bare, startLine: null, endLine: null }
    : locationOf(match[1] ?? bare, match[2], match[3]);
}

/** Finds the first place that a text names; one with a line number takes precedence. */
export function findLocation(text: string): FoundLocation | null {
  const start = text.slice(0, longestSearched);
  const found = [...spans(start), ...links(start), ...words(start)];
  return found.find(({ location }) => location.startLine !== null) ?? found[0] ?? null;
}

export function looksLikePath(path: string): boolean {
  if (/\s/.test(path) || codeOrNumber.test(path)) return false;
  const fileName = path.split('/').at(-1) ?? '';
  if (/^(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|LICENSE|CODEOWNERS|Jenkinsfile)$/.test(fileName))
    return true;
  if (path.includes('/')) return /[\p{L}\p{N}]/u.test(path) && !path.endsWith('/');
  return (
    /^\.[a-z][\w.-]+$/.test(path) || fileExtensions.has(/[^.]\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '')
  );
}

function spans(text: string): readonly FoundLocation[] {
  return [...text.matchAll(codeSpan)].flatMap((match) => {
    const inner = parseLocation(match[2] ?? '');
    const location =
      inner?.startLine === null && match[3] !== undefined
        ? locationOf(inner.path, match[3], match[4])
        : inner;
    return location === null || !isPlace(location) ? [] : [placed(location, match)];
  });
}

function links(text: string): readonly FoundLocation[] {
  return [...text.matchAll(link)].flatMap((match) => {
    const location = parseLocation((match[1] ?? '').replaceAll('`', ''));
    return location === null || !isPlace(location) ? [] : [placed(location, match)];
  });
}

function words(text: string): readonly FoundLocation[] {
  return [...text.matchAll(word)].flatMap((match) => {
    const location = locationOf(match[1] ?? '', match[2], match[3]);
    return isPlace(location) ? [placed(location, match)] : [];
  });
}

function placed(location: IssueLocation, match: RegExpExecArray): FoundLocation {
  return { location, start: match.index, end: match.index + match[0].length };
}

/** Accepts, with a line number, any name with a dot or a folder, and a capitalized one: `Makefile:3`. */
function isPlace({ path, startLine }: IssueLocation): boolean {
  if (startLine === null) return looksLikePath(path);
  if (codeOrNumber.test(path)) return false;
  return /[\p{L}\p{N}][./]|[./][\p{L}\p{N}]/u.test(path) || /^[A-Z][A-Za-z]+$/.test(path);
}

function locationOf(path: string, start: string | undefined, end: string | undefined): IssueLocation {
  const startLine = start === undefined || Number(start) === 0 ? null : Number(start);
  if (startLine === null) return { path, startLine, endLine: null };
  return { path, startLine, endLine: Math.max(startLine, Number(end ?? start)) };
}
