/** Passwords and cookies in the arguments of programs that take them there. */
import { cookieShape, isSessionValue } from './cookie-secrets.ts';
import { isFiller, type SecretPlace, type SecretShape } from './secret-shape.ts';
import { isPlaceholder, isStrong, isTypeOrWord } from './secret-value.ts';

const quote = '["\'`]';
/** Between an option and its value: in a command; in a list of arguments or a chain of calls, which quotes both. */
const gap = '(?:[ \\t=]|,[ \\t]?){0,3}';
const listGap = `${quote}[ \\t]{0,3}(?:,|\\)\\.arg\\()[ \\t]{0,9}`;
const quoted = (before = '') =>
  `(?<quote>${quote})${before}(?<secret>(?:\\\\[^\\n]|(?!\\k<quote>)[^\\n\\\\]){3,256})\\k<quote>`;
const unquoted = '(?<header>(?:\\\\[^\\s"\'`]|[^\\s"\'`\\\\;&|<>()]){3,256}(?<!\\]))';
const anyValue = `(?:(?:${listGap}|${gap})${quoted()}|${gap}${quote}?${unquoted})`;
const userName = `(?:\\$?\\{[^{}\\s"'\`]{0,60}\\}|(?!\\$\\{)[^\\s:"'\`{}]){0,100}${quote}?:`;
const login = `(?:(?:${listGap}|${gap})${quoted('[^\\n:"\'`]{0,100}:')}|${gap}${quote}?${userName}${quote}?${unquoted})`;

/** A program begins a word; the `-` before it may be that of a diff. */
const curl = /(?<![\w.]|(?<!^[+\-> \t]{0,9})-)curl(?:\.exe)?(?=[\s"'`,)\\])/g;
/** Flags without a value, which another flag may follow: `-sSu`. */
const curlFlags = '-[#0-9aBfGgiIjJkLlMnNOpqRsSvVZ]{0,12}';
const curlUser = `(?:${curlFlags}[uU]|--(?:proxy-)?user(?![\\w-]))`;
const curlSecret = '--(?:oauth2-bearer|(?:proxy-)?pass|(?:proxy-)?tlspassword)(?![\\w-])';
const curlCertificate = `(?:-E|--(?:proxy-)?cert)${gap}${quote}?[^\\s:"'\`]{1,200}\\.[a-z0-9]{2,4}:`;
/** From a cookie's option to the value of the cookie. */
const curlCookie = new RegExp(
  `(?<=[\\s"'\`,([])(?:${curlFlags}b|--cookie)(?:(?:${listGap}|${gap})${quote}[^"'\`]*|${gap}[^\\s"'\`]*)$`,
);

const mysql =
  /(?<![\w.]|(?<!^[+\-> \t]{0,9})-)(?:mysql|mariadb|mycli)(?:[-_]?[a-z]{2,12}){0,2}(?:\.exe)?(?=[\s"'`,)\\])/g;
const mysqlHint = 'mysql|mariadb|mycli';
/** With a space after it, the next word is the name of the database. */
const mysqlPassword = `-[ABCEGHLNUVWXbcfijknqstv]{0,12}p(?:${quoted()}|${quote}?${unquoted})`;
const mysqlOption = `--password[1-3]?=(?:${quoted()}|${unquoted})`;

/** A line of a command that begins with one of its options. */
const laterLine = '^[+\\-> \\t]{0,40}[ \\t]--?[A-Za-z#0-9]';

/** The options of sshpass itself: behind them, the program that it starts may have a `-p` of its own. */
const sshpassGap = `${quote}?(?:\\)\\.arg\\(|[,[( \\t=]){1,9}`;
const sshpassWord = '(?:"[^"\\n]{0,60}"|\'[^\'\\n]{0,60}\'|[^\\s"\',]{1,60})';
const sshpass = `(?<![\\w.]|(?<!^[+\\-> \\t]{0,9})-)sshpass(?:\\.exe)?${sshpassGap}(?:${quote}?-(?:[vV]{1,4}|P(?:${sshpassGap})?${sshpassWord})${sshpassGap}){0,6}${quote}?-[vV]{0,4}p${anyValue}`;

const curlSources = [
  curlUser + login,
  curlUser + gap + `${quote}?` + userName + quoted(),
  curlSecret + anyValue,
  curlCertificate + unquoted,
];

export const commandSecrets: readonly SecretShape[] = [
  ...curlSources.map((source) => argument('curl_password', 'curl', source, curl)),
  argument('mysql_password', mysqlHint, mysqlPassword, mysql),
  argument('mysql_password', mysqlHint, mysqlOption, mysql),
  { ...argument('sshpass_password', 'sshpass', ''), shape: new RegExp(sshpass, 'dg') },
  {
    ...argument('session_cookie', `curl|${laterLine}`, ''),
    shape: cookieShape,
    isSecret: (candidate, match) =>
      isSessionValue(candidate, match.groups?.['name'] ?? '') && isCookieOfCurl(match),
  },
  ...curlSources.map((source) => onLaterLine('curl_password', source)),
  onLaterLine('mysql_password', mysqlPassword),
];

function argument(rule: string, hint: string, source: string, program?: RegExp): SecretShape {
  return {
    rule,
    hint,
    shape: new RegExp(`(?<=[\\s"'\`,([])${source}`, 'dg'),
    isSecret: (candidate, { input = '', index = 0 }) =>
      !isPlaceholder(candidate) &&
      !isPorts(candidate) &&
      !isConcatenation(candidate) &&
      (program === undefined || isArgumentOf(program, input.slice(0, index))),
    report: reportArgument,
    rejectable: 'quoted_code',
  };
}

/** The program is on an earlier line. Others have such options, too: only masked, and only if it looks like a password. */
function onLaterLine(rule: string, source: string): SecretShape {
  const row = argument(rule, laterLine, source);
  return {
    ...row,
    isSecret: (candidate, match) =>
      isStrong(candidate) &&
      !isTypeOrWord(candidate) &&
      // A long option with one dash: `-pprof=localhost:6060`.
      !/^[a-z-]+=/.test(candidate) &&
      row.isSecret?.(candidate, match) === true &&
      beginsWithOption((match.input ?? '').slice(0, match.index)),
    report: () => null,
  };
}

function beginsWithOption(before: string): boolean {
  return before.length <= longestCommand && /^[+\-> \t]{0,40}[ \t](?:--?[A-Za-z]|$)/.test(before);
}

/** Matches `3306:3306`, of a container that has the program's name. */
function isPorts(value: string): boolean {
  return /^\d+:\d+(?:\/\w+)?$/.test(value);
}

/** Matches code between two strings: `+ password +`, `).arg(`. */
function isConcatenation(value: string): boolean {
  return /^[ \t]+[+.,;)\]]|^[+.,)\]].*[+.,([]$/.test(value);
}

/** Characters from a program to its argument, at most: a long line takes linear time. */
const longestCommand = 600;
/** A name of the program may also be an argument of it: `-H 'User-Agent: curl 8; x'`. */
const mostNames = 3;

function isArgumentOf(program: RegExp, before: string): boolean {
  const recent = before.slice(-longestCommand);
  return [...recent.matchAll(program)]
    .slice(-mostNames)
    .some(({ index, 0: found }) => !endsCommand(recent.slice(index + found.length)));
}

/** Returns true if a sign in the text ends a command; one within quotation marks or another command does not. */
function endsCommand(text: string): boolean {
  return /[;|\n]|&&/.test(text.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'|\$\([^()]*\)/g, ''));
}

function isCookieOfCurl({ input = '', index = 0 }: RegExpMatchArray): boolean {
  const before = input.slice(Math.max(0, index - 2000), index);
  const option = before.search(curlCookie);
  if (option < 0) return false;
  const start = before.slice(0, option);
  return isArgumentOf(curl, start) || beginsWithOption(start);
}

function reportArgument(candidate: string, { inTests }: SecretPlace): 'important' | null {
  return inTests || isFiller(candidate) || candidate.length < 6 ? null : 'important';
}
