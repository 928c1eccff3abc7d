/** Checks of a value whose place or name suggests a secret. */

/** Returns true if a value is filled in elsewhere, or is publicly known. */
export function isPlaceholder(value: string): boolean {
  return (
    referencePattern.test(value) ||
    wordsForSecrets.test(value.replace(/(?<![\d!_.-])[\d!_.-]+$/, '')) ||
    isRepeated(value)
  );
}

/** Matches `$VAR`, `$$VAR`, `${VAR}`, `{{ var }}`, `%s`, `<your-key>`, `process.env.X`, `secrets.X`, `[REDACTED]`, `***`. */
const referencePattern =
  /^[$%{<[@#]|\$\{|\$\(|\{\{|<[\w -]+>|%\(|\*{3}|\.{3}|…|\b(?:process\.env|import\.meta|os\.environ|getenv|env\.|secrets\.|vars\.|var\.|vault:|op:\/\/|ref\+)|your[-_ ]?|(?:example|changeme|change[-_]me|change[-_]this|placeholder|redacted|replace[-_]?me|dummy|insert[-_]|todo|fixme|xxxx)/i;

const wordsForSecrets =
  /^(?:(?:my|the|a|some|test|user|db|database|root|admin|default|super|top|new|old|wrong|bad|fake|secure|strong|current|invalid|valid|correct)?[-_]?(?:pass(?:word|wd|phrase)?|passwort|pwd|pw|secrets?|tokens?|(?:api|access|private|secret|auth)?[-_]?keys?|credentials?)|user(?:name)?|admin|root|guest|postgres(?:ql)?|mysql|mongo|redis|rabbitmq|minio|minioadmin|test(?:ing)?|foo|bar|baz|none|null|undefined|true|false|string|empty|required|optional|hunter|qwerty|letmein|abc|x+)$/i;

function isRepeated(value: string): boolean {
  return new Set(value.toLowerCase()).size <= 2;
}

/**
 * Returns true if a value has letters and digits, or characters that no word has: typical of passwords by
 * people and machines, rare in a program's names.
 */
export function isStrong(value: string): boolean {
  if (value.length < 6 || isPlaceholder(value)) return false;
  return (/[A-Za-z]/.test(value) && /\d/.test(value)) || (/\w/.test(value) && /[!@#$%^&*+=?~]/.test(value));
}

/** Without quotation marks a value may be an expression: `config.auth2Token`, `req.body.key1`, `hash2Password`. */
export function isCode(value: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^[a-z]+\d?(?:[A-Z][a-z]+\d?)+$/.test(value) ||
    isPlaceholder(value)
  );
}

/** Matches `oauth2-token-v2`, `Uint8Array`, `T_INT64`, `secp256k1`: words with a number, like names in code. */
export function isWordy(value: string): boolean {
  return value
    .split(/[-_.:/ ]+/)
    .every((part) =>
      /^(?:[A-Za-z]*[a-z][a-z]*\d{0,4}|[A-Z]+\d{0,4}|\d{1,4}|v\d+|(?:[A-Z]?[a-z]+\d{0,3}){1,8}|[A-Z]*)$/.test(
        part,
      ),
    );
}

/** Matches `Uint8Array`, `Base64`, `sha256`, `utf8_bin`: a type, or a word with a number. */
export function isTypeOrWord(value: string): boolean {
  return /^[A-Z]?[a-z]+\d{0,3}(?:[A-Z_.-][a-z]+\d{0,3})*$/.test(value);
}
