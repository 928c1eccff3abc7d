/**
 * JSON for programs that is also safe to print and to embed: characters that would affect a terminal, a CI runner or a page are
 * written as JSON escapes, which change no value.
 */

/** Returns the value over several lines, the last of which ends. */
export function renderJson(value: unknown): string {
  return `${escapeActive(JSON.stringify(value, null, 2))}\n`;
}

/** Returns the value on one line, which ends. */
export function renderJsonLine(value: unknown): string {
  return `${escapeActive(JSON.stringify(value))}\n`;
}

function escapeActive(json: string): string {
  return json
    .replace(actsOnTerminals, escapeCharacters)
    .replace(/<(?=[a-z/!?])/gi, escapeCharacters)
    .replace(/##(?=\[|vso\[|teamcity\[)/gi, String.raw`#\u0023`);
}

const actsOnTerminals = /[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/gu;

function escapeCharacters(found: string): string {
  return found
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
