/** Cookies that open a session: in headers, in code and in files of cookies. */
import { hasRandomRun, isFiller, type SecretPlace, type SecretShape } from './secret-shape.ts';
import { isCode, isStrong, isTypeOrWord } from './secret-value.ts';

/** `name=value`, as a header writes it. */
export const cookieShape =
  /(?<=[\s"'`;:=,])(?<name>[A-Za-z0-9_.-]{1,64})=(?<secret>[A-Za-z0-9+/%._~-]{6,4096}=*)(?=[\s"'`;,]|$)/dgi;

export const cookieSecrets: readonly SecretShape[] = [
  cookie('[Cc][Oo][Oo][Kk][Ii][Ee]', cookieShape, (match) =>
    // A header has several cookies, and so has a variable: HTTP_COOKIE, document.cookie.
    /cookies?(?:[_-]?[a-z0-9]{1,8})?["'`\]]{0,2}[ \t]{0,9}\+?[:=,]|(?:HTTP_COOKIE|--cookie)[ \t]/i.test(
      before(match, 2000),
    ),
  ),
  cookie(
    '[Cc][Oo][Oo][Kk][Ii][Ee]',
    // As arguments, or by its name: res.cookie('sid', '…'), cookies['sid'] = '…', cookies={'sid': '…'}.
    /(?<![\w.-])(?<name>[A-Za-z0-9_.-]{1,64})["'`]?\]?[ \t]{0,9}(?:,|:|=>|=)[ \t]{0,9}["'`](?<secret>[A-Za-z0-9+/%._~:|=-]{6,4096})["'`]/dg,
    isCookieInCode,
  ),
  cookie(
    '[Cc][Oo][Oo][Kk][Ii][Ee]|[Hh]ttpOnly|sameSite',
    // { name: 'sid', value: '…' }
    /\bname["']?[ \t]{0,9}[:=][ \t]{0,9}["'`](?<name>[A-Za-z0-9_.-]{1,64})["'`][ \t]{0,9},[ \t]{0,9}["']?value["']?[ \t]{0,9}[:=][ \t]{0,9}["'`](?<secret>[^\s"'`;,]{6,4096})["'`]/dgi,
    (match) =>
      !isTypeOrWord(match.groups?.['secret'] ?? '') &&
      /cookie|httpOnly|sameSite/i.test(before(match, 200) + after(match, 200)),
  ),
  cookie(
    '(?:TRUE|FALSE)[ \\t]',
    // A line of a file of cookies.
    /(?<![\w.#]|(?<!^[+\-> \t]{0,9})-)(?:#HttpOnly_)?[\w.-]{1,255}[ \t]{1,9}(?:TRUE|FALSE)[ \t]{1,9}\/\S{0,255}[ \t]{1,9}(?:TRUE|FALSE)[ \t]{1,9}\d{1,20}[ \t]{1,9}(?<name>\S{1,64})[ \t]{1,9}(?<secret>[^\s"'`;]{6,4096})(?=[\s"'`]|$)/dg,
    () => true,
  ),
];

function cookie(hint: string, shape: RegExp, isInPlace: (match: RegExpMatchArray) => boolean): SecretShape {
  return {
    rule: 'session_cookie',
    hint,
    shape,
    isSecret: (candidate, match) =>
      isSessionValue(candidate, match.groups?.['name'] ?? '') && isInPlace(match),
    report: (candidate, { inTests }: SecretPlace) => (inTests || isFiller(candidate) ? null : 'important'),
    rejectable: 'quoted_code',
  };
}

/** Returns true if a cookie's value opens a session: it looks random, or its name says so. */
export function isSessionValue(value: string, name: string): boolean {
  if (isCode(value)) return false;
  return (
    hasRandomRun(value) || (/sess|sid|token|auth|jwt|csrf|xsrf|remember|login/i.test(name) && isStrong(value))
  );
}

function isCookieInCode(match: RegExpMatchArray): boolean {
  const opens =
    /cookies?\w{0,20}(?:\.\w{1,20})?["'`]?[ \t]{0,3}(?:[([]|[:=][ \t]{0,3}\w{0,20}[{(])[^;)\]}]*$/i;
  return !isTypeOrWord(match.groups?.['secret'] ?? '') && opens.test(before(match, 200));
}

/** The text on both sides of a match is bounded, so that a long line takes linear time. */
function before({ input = '', index = 0 }: RegExpMatchArray, length: number): string {
  return input.slice(Math.max(0, index - length), index);
}

function after({ input = '', index = 0, 0: match }: RegExpMatchArray, length: number): string {
  return input.slice(index + match.length, index + match.length + length);
}
