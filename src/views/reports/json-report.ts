/**
 * Renders a stored result, or a report for programs. The text is also safe to print and to embed: characters that would
 * affect a terminal, a CI runner or a page are written as JSON escapes, which change no value.
 */
export function renderStoredJson(result: object): string {
  const text = JSON.stringify(result, null, 2)
    .replace(actsOnTerminals, escapeCharacters)
    .replace(/<(?=[a-z/!?])/gi, escapeCharacters)
    .replace(/##(?=\[|vso\[|teamcity\[)/gi, String.raw`#\u0023`);
  return `${text}\n`;
}

const actsOnTerminals = /[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029]/gu;

function escapeCharacters(found: string): string {
  return found
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
