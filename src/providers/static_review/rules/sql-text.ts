/** Recognizes a value in the text of an SQL statement: a name, such as that of a table, cannot be a parameter. */

/** An interpolation or a joined value, in any of the languages; its group is the value. */
const joined =
  /[$#]?\{(?<inBraces>[^{}]*)\}|\$(?<named>[A-Za-z_][\w>-]*)|%[svd]|["'`]\s*[+.]\s*(?<added>[\w$][\w$.[\]>-]*)/g;

/** The end of a text after which a value is expected: `id = '`, `IN (1, `, `LIMIT `. */
const valueFollows =
  /(?:[=<>]|\b(?:like|ilike|between|limit|offset)\s|\b(?:in|values)\s*\([^()]*)\s*(?:'%?[^']{0,20})?$/i;

const constant = /^\W*(?:[\w$]+[.:]+)*[A-Z][A-Z0-9_]+\W*$/;
const madeSafe = /escape|quote|sanitize|placeholder|\bparam/i;

/** Returns true if a statement contains a value that belongs into a parameter. */
export function putsValueInSql(text: string): boolean {
  return [...text.matchAll(joined)].some(({ index, groups = {} }) => {
    const value = groups['inBraces'] ?? groups['named'] ?? groups['added'] ?? '';
    return valueFollows.test(text.slice(0, index)) && !constant.test(value) && !madeSafe.test(value);
  });
}
