/**
 * Makes text that somebody else wrote safe to print: what would move the cursor, colour, link, reorder or hide becomes
 * visible text. Line ends and tabs stay; a CR that belongs to a line end goes. Nothing else is removed.
 */
export function neutralise(text: string): string {
  const neutraliser = createNeutraliser();
  return neutraliser.push(text) + neutraliser.end();
}

export interface Neutraliser {
  push(piece: string): string;
  end(): string;
}

/** `neutralise` for a text that comes in pieces; where it is cut changes nothing. */
export function createNeutraliser(): Neutraliser {
  /** Read, but not decided: what follows matters. */
  let held = '';
  let before = '';

  function write(text: string): string {
    const written = plain.test(text) ? text : escapeAll(before, text);
    before = (before + text).slice(-longestJoined);
    return written;
  }

  return {
    push(piece) {
      const text = held + piece;
      let end = text.length;
      while (end > 0 && undecided.test(text.charAt(end - 1))) end -= 1;
      held = text.slice(end);
      return write(text.slice(0, end));
    },
    end() {
      const rest = held;
      held = '';
      return write(rest);
    },
  };
}

const plain = /^[\t\n\x20-\x7e]*$/;
const undecided = /\r|\u200c|\u200d|[\ud800-\udbff]/;

/** UTF-16 units of an emoji with its modifier. */
const longestJoined = 4;

/** Controls, formats (bidirectional ones too), blanks that look like nothing, tags, halves of characters. */
const unsafe =
  /\r\n|[^\P{Cc}\t\n]|\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff0-\ufff8\ufffe\uffff]/gu;

function escapeAll(before: string, text: string): string {
  const whole = before + text;
  return text.replace(unsafe, (found: string, index: number) => {
    if (found === '\r\n') return '\n';
    if (variations.has(found)) return found;
    return joins(whole, before.length + index) ? found : visibleForm(found);
  });
}

/** Choose between a character's looks, emoji's among them; default-ignorable, but part of the visible text. */
const variations: ReadonlySet<string> = new Set(
  Array.from({ length: 16 }, (_, index) => String.fromCodePoint(0xfe00 + index)),
);

/** A joiner is part of an emoji, and of the letters of some scripts; anywhere else it only hides. */
function joins(text: string, index: number): boolean {
  const character = text.charAt(index);
  if (character !== '\u200c' && character !== '\u200d') return false;
  return (
    joinable.test(text.slice(Math.max(0, index - longestJoined), index)) &&
    /^[\p{Extended_Pictographic}\p{L}\p{M}]/u.test(text.slice(index + 1, index + 3))
  );
}

const joinable =
  /(?:\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])$/u;

/** C0 controls have pictures of their own; the rest is named by its code point. */
function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
