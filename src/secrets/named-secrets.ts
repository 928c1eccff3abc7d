/**
 * Values that are secrets only because of the name they are assigned to. Ordinary code is full of such names:
 * the value decides.
 */
import { isFiller, type SecretPlace, type SecretShape } from './secret-shape.ts';
import { isCode, isStrong, isTypeOrWord, isWordy } from './secret-value.ts';

/** Ends a name, so that `password_field` and `tokenUrl` do not match. */
const word =
  '(?<word>pass(?:word|wd|phrase|code)|passwort|pwd|[_-]pass|[_-]pw|secret|credentials?|(?:secret|api|app|access|auth|private|signing|encryption|master|account|service|storage|license|deploy|webhook|client|shared|admin|session|session_secret|jwt|hmac)[_-]?key(?:[_-]?base)?|key[_-]?base|token|apikey)';
const name = `(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{0,64}${word}(?:[_-]?(?:[0-9]{1,2}|value|prod|production|live|default|b64|base64))?`;
const hint =
  '[Pp][Aa][Ss][Ss]|[Pp][Ww]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Cc][Rr][Ee][Dd][Ee][Nn]|[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn]';

export const namedSecrets: readonly SecretShape[] = [
  named(
    'named_secret',
    // In quotation marks, after an assignment; a type may be between them.
    `${name}["'\`\\]]{0,2}[ \\t]{0,9}(?:(?::[ \\t]{0,9}[A-Za-z]{1,20}[ \\t]{0,9})?(?:=>|:=|[:=]))[ \\t]{0,9}[a-zA-Z]{0,2}(?<quote>["'\`])(?<secret>(?:(?!\\k<quote>)[^\\s\\\\]){6,256})\\k<quote>`,
    (value, kind) => isNamedSecret(value, kind),
  ),
  named(
    'named_secret',
    // As the argument after its name: define('DB_PASSWORD', '…').
    `["']${name}["'][ \\t]{0,9},[ \\t]{0,9}(?<quote>["'])(?<secret>(?:(?!\\k<quote>)[^\\s\\\\]){6,256})\\k<quote>`,
    (value, kind) => isNamedSecret(value, kind),
  ),
  named(
    'named_secret',
    // Without spaces around the equals sign: settings, shells, connection strings, URLs.
    `${name}=(?<secret>[^\\s"'\`;&|<>(){}\\[\\]]{6,256})(?=[;&|"'\`]|\\s|$)`,
    (value, kind) => isNamedSecret(value, kind) && !isCode(value),
  ),
  named(
    'named_secret',
    // To the end of its line: YAML, properties, HTTP headers.
    `${name}["']?[ \\t]{0,9}[:=][ \\t]{1,9}(?<secret>[^\\s"'\`;,<>(){}\\[\\]]{6,256})(?=[ \\t]*(?:#.*)?\\r?$)`,
    (value, kind) => isNamedSecret(value, kind) && !isCode(value),
  ),
  {
    // In the middle of its line, as in a message. Code looks the same, so it is only masked.
    ...named(
      'named_secret',
      `${name}["']?[ \\t]{0,9}[:=][ \\t]{1,9}(?<secret>[^\\s"'\`;,<>(){}\\[\\]]{6,256})(?=[\\s"'\`;,>)}\\]])(?![ \\t]*(?:#.*)?\\r?$)`,
      (value, kind) => isNamedSecret(value, kind) && !isCode(value) && !isTypeOrWord(value),
    ),
    report: () => null,
  },
  {
    // Without a space after the colon, as in a login that is passed on. Behind another colon it is part of a resource's name.
    ...named(
      'named_secret',
      `(?<!:)${name}["']?:(?<secret>[^\\s"'\`;,<>(){}\\[\\]]{5,255}[^\\s"'\`;,<>(){}\\[\\].?:])(?=[.?:]{0,9}(?:[\\s"'\`;,>)}\\]]|$))`,
      isSaidSecret,
    ),
    report: () => null,
  },
  {
    // In a sentence: the password for the test shop is …
    ...named(
      'named_secret',
      `\\b${word.replaceAll('[_-]?', '[ _-]?')}(?:[ \\t]{1,3}[a-z]{1,20}){0,5}?[ \\t]{1,3}(?:is|are|was|be|to|as)[ \\t]{1,3}(?:(?:now|still|just)[ \\t]{1,3})?["'\`]?(?<secret>[^\\s"'\`;,&<>(){}\\[\\]]{5,255}[^\\s"'\`;,&<>(){}\\[\\].?:])(?=[.?:]{0,9}(?:[\\s"'\`;,&>)}\\]]|$))`,
      isSaidSecret,
    ),
    report: () => null,
  },
  named(
    'named_secret',
    // A command option.
    `(?<=\\s)--(?:[a-z0-9-]{0,40}-)?${word}[ =](?<secret>[^\\s"'\`;&|<>(){}\\[\\]]{6,256})(?=["'\`]|\\s|$)`,
    (value, kind) => isNamedSecret(value, kind) && !isCode(value),
  ),
  named(
    'named_secret',
    // An XML element.
    `<[A-Za-z0-9_.:-]{0,64}${word}>(?<secret>[^\\s<>]{6,256})</`,
    (value, kind) => isNamedSecret(value, kind),
  ),
];

function named(rule: string, source: string, isValue: (value: string, word: string) => boolean): SecretShape {
  return {
    rule,
    hint,
    shape: new RegExp(source, 'dgi'),
    isSecret: (candidate, { groups }) => isValue(candidate, groups?.['word'] ?? ''),
    report: reportNamed,
    rejectable: 'quoted_code',
  };
}

/** Returns true if a value looks secret. Passwords are also made by people; a token or key is long, and not joined words. */
function isNamedSecret(value: string, kind: string): boolean {
  if (!isStrong(value) || /^(?:https?:|\.{0,2}\/|[a-z]+:\/\/)/i.test(value)) return false;
  const isPassword = /^(?:pass|pwd|[_-]p)/i.test(kind);
  if (isPassword) return !isNameInCode(value);
  return value.length >= (/secret|credential/i.test(kind) ? 8 : 12) && !isWordy(value);
}

/** Matches `newPassword2`, `password_1`. */
function isNameInCode(value: string): boolean {
  return /^[\w.-]+$/.test(value) && /pass|pwd|secret|token|key|field|input/i.test(value);
}

/**
 * The same for a value in the middle of a line, possibly followed by the end of a sentence. Excludes a number with its
 * unit: `12-characters`.
 */
function isSaidSecret(value: string, kind: string): boolean {
  const said = value.replace(/[!*]+$/, '');
  return isNamedSecret(said, kind) && !isCode(said) && !isTypeOrWord(said) && !/^\d+-[a-z]/.test(said);
}

/** At most Important: a name shows the purpose of a value, not its kind. */
function reportNamed(candidate: string, { inTests }: SecretPlace): 'important' | null {
  return inTests || isFiller(candidate) || candidate.length < 8 ? null : 'important';
}
