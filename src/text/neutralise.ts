/**
 * Makes foreign text safe to print: characters that would move the cursor, color, link, reorder or hide become visible
 * text. Line endings and tabs stay; the CR of a line ending is removed. Nothing else is removed.
 */
export function neutralise(text: string): string {
  const neutraliser = createNeutraliser();
  return neutraliser.push(text) + neutraliser.end();
}

/** Does the same for text in a prompt: its line endings stay, so that a change of them is visible. */
export function makeVisible(text: string): string {
  return plainLines.test(text) ? text : escapeAll('', text, '\r\n');
}

/** Renders any name on one line. */
export function visibleName(name: string): string {
  return makeVisible(name).replace(/[\t\n\r]/g, visibleForm);
}

export interface Neutraliser {
  push(piece: string): string;
  end(): string;
}

/** `neutralise` for text that arrives in pieces, cut at any place. */
export function createNeutraliser(): Neutraliser {
  /** Read, but not decided: it depends on the next characters. */
  let held = '';
  let before = '';

  function write(text: string): string {
    const written = plain.test(text) ? text : escapeAll(before, text, '\n');
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
const plainLines = /^(?:[\t\n\x20-\x7e]|\r\n)*$/;
const undecided = /\r|\u200c|\u200d|[\ud800-\udbff]/;

/** UTF-16 units of an emoji with its modifier. */
const longestJoined = 4;

/** Controls, formats (including bidirectional ones), invisible spaces, tags, lone surrogates. */
const unsafe =
  /\r\n|[^\P{Cc}\t\n]|\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff0-\ufff8\ufffe\uffff]/gu;

function escapeAll(before: string, text: string, lineEnd: '\n' | '\r\n'): string {
  const whole = before + text;
  return text.replace(unsafe, (found: string, index: number) => {
    if (found === '\r\n') return lineEnd;
    const place = before.length + index;
    return varies(whole, place) || joins(whole, place) ? found : visibleForm(found);
  });
}

/**
 * Sixteen variation selectors choose the look of the character before, such as an emoji; they are invisible, but change
 * what is shown. After one of our letters or after each other they only carry a hidden message.
 */
function varies(text: string, index: number): boolean {
  return /[\ufe00-\ufe0f]/.test(text.charAt(index)) && varied.test(text.slice(Math.max(0, index - 2), index));
}

const varied = /(?:[\p{Extended_Pictographic}\p{Lo}\p{Sm}\p{So}\p{Emoji_Modifier}]|[0-9#*])$/u;

/** A joiner is part of an emoji, and of the letters of some scripts; anywhere else it only hides. */
function joins(text: string, index: number): boolean {
  const character = text.charAt(index);
  if (character !== '\u200c' && character !== '\u200d') return false;
  return (
    joinable.test(text.slice(Math.max(0, index - longestJoined), index)) &&
    joined.test(text.slice(index + 1, index + 3))
  );
}

const joinable =
  /(?:\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])$/u;

/** A character that is itself made visible joins nothing. */
const joined = /^(?!\p{Default_Ignorable_Code_Point})[\p{Extended_Pictographic}\p{L}\p{M}]/u;

/** C0 controls have pictures of their own; the rest are named by their code points. */
function visibleForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
