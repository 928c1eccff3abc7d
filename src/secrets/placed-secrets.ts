/** Places that hold only secrets: a URL, a header, a file of one program. */
import { hasRandomRun, isFiller, type SecretPlace, type SecretShape } from './secret-shape.ts';
import { isCode, isPlaceholder, isStrong } from './secret-value.ts';

export const placedSecrets: readonly SecretShape[] = [
  {
    rule: 'npmrc_auth',
    hint: ':_(?:auth|password)',
    shape: /:_(?:authToken|auth|password)[ \t]{0,9}=[ \t]{0,9}["']?(?<secret>[^\s"'$*]{8,})/dg,
    report: (candidate) => (isFiller(candidate) || isPlaceholder(candidate) ? null : 'critical'),
    rejectable: 'never',
  },
  {
    rule: 'npmrc_auth',
    hint: '_(?:auth|password)|_(?:AUTH|PASSWORD)',
    // Without a registry: at the start of a line, or in the environment. Code has such names, too.
    shape:
      /(?:^[+\- \t>]{0,40}|npm_config_)_(?:authToken|auth|password)[ \t]{0,9}=[ \t]{0,9}["']?(?<secret>[A-Za-z0-9+/=_.~-]{8,})["']?[ \t]*\r?$/dgi,
    isSecret: (candidate) => isStrong(candidate) && !isCode(candidate),
    report: importantOutsideTests,
    rejectable: 'quoted_code',
  },
  {
    rule: 'netrc_password',
    hint: 'password[ \\t]',
    shape: /(?<!\w|(?<!^[+\-> \t]{0,9})-)password[ \t]{1,9}(?<secret>[^\s"'`]{3,256})(?=[\s"'`]|$)/dg,
    isSecret: isNetrcPassword,
    report: importantOutsideTests,
    rejectable: 'quoted_code',
  },
  {
    rule: 'json_web_token',
    hint: 'eyJ',
    // Matches from the first dot to both sides: matching from the start would scan `eyJ-eyJ-…` again from each `eyJ`.
    shape:
      /\.eyJ(?<=(?<before>(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,})\.eyJ)[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/dg,
    report: (_candidate, { inTests }) => (inTests ? null : 'important'),
    rejectable: 'quoted_code',
  },
  {
    rule: 'bearer_token',
    hint: '[Bb][Ee][Aa][Rr][Ee][Rr]',
    shape: /\bbearer[ \t]{1,9}(?<secret>[A-Za-z0-9_.~+/-]{20,}=*)/dgi,
    isSecret: hasRandomRun,
    report: importantOutsideTests,
    rejectable: 'quoted_code',
  },
  {
    rule: 'basic_auth_header',
    hint: '[Bb][Aa][Ss][Ii][Cc]|[Aa][Uu][Tt][Hh]["\']',
    // The second form is also in Docker's settings.
    shape:
      /\bauthorization["']?[ \t]{0,9}[:=,][ \t]{0,9}["'`]?basic[ \t]{1,9}(?<header>[A-Za-z0-9+/]{12,}={0,2})|(?:\bbasic[ \t]{1,9}|["']auth["'][ \t]{0,9}:[ \t]{0,9}["'])(?<secret>[A-Za-z0-9+/]{8,}={0,2})/dgi,
    isSecret: (candidate, { groups }) => groups?.['header'] !== undefined || isNameWithPassword(candidate),
    report: importantOutsideTests,
    rejectable: 'quoted_code',
  },
  {
    rule: 'url_password',
    hint: '://[^\\s/]{0,300}@',
    shape:
      /:\/\/[^\s:/?#@"'`<>]{0,256}:(?<secret>[^\s/?#@"'`<>]{3,256})@(?<host>[A-Za-z0-9[][^\s/?#"'`<>]{0,253})/dg,
    isSecret: (candidate, { groups }) => {
      if (/^(?:[$%{]|x{3,}$|\.{3}$)/i.test(candidate)) return false;
      return isStrong(candidate) || (!isPlaceholder(candidate) && !isLocal(groups?.['host'] ?? ''));
    },
    report: reportUrlPassword,
    rejectable: 'quoted_code',
  },
];

/** With its machine and its login, in any order; without them, prose looks the same, and the password must be a strong one. */
function isNetrcPassword(
  candidate: string,
  { input = '', index = 0, 0: { length } }: RegExpMatchArray,
): boolean {
  const entry = netrcEntry.exec(input.slice(Math.max(0, index - 1000), index));
  if (entry === null) return false;
  const rest = input.slice(index + length, index + length + 300);
  const hasLogin = entry.groups?.['login'] !== undefined || /^[ \t]+(?:login|account)[ \t]+\S/.test(rest);
  if (entry.groups?.['machine'] !== undefined && hasLogin) return !isPlaceholder(candidate);
  const isWhole = entry.groups?.['machine'] !== undefined || hasLogin || /^[ \t]*\r?$/.test(rest);
  return isWhole && isStrong(candidate) && !isCode(candidate) && !/[,;(){}]/.test(candidate);
}

/** Everything of an entry before its password. */
const netrcEntry =
  /(?:(?<machine>\b(?:machine[ \t]{1,9}\S{1,256}|default)[ \t]{1,9})|^[+\- \t>]{0,40})(?<login>(?:(?:login|account)[ \t]{1,9}\S{1,256}[ \t]{1,9}){1,3})?$/;

/** Checks the value of `Basic`: a name and a password, in base64. */
function isNameWithPassword(candidate: string): boolean {
  return /^[\x21-\x7e]{1,100}:[\x20-\x7e]{3,200}$/.test(Buffer.from(candidate, 'base64').toString('latin1'));
}

function importantOutsideTests(candidate: string, { inTests }: SecretPlace): 'important' | null {
  return inTests || isFiller(candidate) ? null : 'important';
}

/** Critical only if the password looks made by a machine or a careful person, and the host is on a network. */
function reportUrlPassword(
  candidate: string,
  { inTests, after }: SecretPlace,
): 'critical' | 'important' | null {
  const host = after.replace(/^@/, '');
  if (inTests || isLocal(host) || isExampleHost(host) || isPlaceholder(candidate)) return null;
  return isStrong(candidate) && /^[\w-]+\.[\w.-]+/.test(host) ? 'critical' : 'important';
}

function isLocal(host: string): boolean {
  return /^(?:localhost|127\.|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|[\w.-]+\.localhost\b)/i.test(host);
}

/** Matches names that are reserved for documentation and tests, and placeholders for a name. */
function isExampleHost(host: string): boolean {
  return /^(?:[\w.-]+\.)?(?:example\.(?:com|org|net)|[\w-]+\.(?:example|test|invalid))\b|^(?:host|hostname|server|your[\w-]*)\b(?!\.[a-z])/i.test(
    host,
  );
}
