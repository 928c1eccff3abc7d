import { breakJobCommands } from '../../text/job-commands.ts';
import { neutralise } from '../../text/neutralise.ts';

/**
 * Text that somebody else wrote, for a log: no control sequences (X000-6), and nothing that a CI runner takes for a
 * command of the job.
 */
export function printable(text: string): string {
  return breakJobCommands(neutralise(text));
}

/** A zero-width space is what such tools agree on; the text reads as before. */
export function breakMentions(text: string): string {
  return text
    .replace(/@(?=[\p{L}\p{N}_])/gu, '@\u200b')
    .replace(/([#!&%~])(?=\d)/gu, '$1\u200b')
    .replace(/\b(GH-)(?=\d)/gu, '$1\u200b')
    .replace(/^(\s*\/)(?=[a-z])/gmu, '$1\u200b');
}

/**
 * Foreign text for a field of which nobody knows how it is shown, as text or as Markdown or as HTML: besides what
 * {@link printable} does, no tag, link, mention or reference is left in it. It reads as before.
 */
export function inert(text: string): string {
  return breakMentions(printable(text))
    .replace(/<(?=[a-z/!?])/giu, '<\u200b')
    .replace(/([a-z][a-z0-9+.-]*:)(?=\/\/)/giu, '$1\u200b')
    .replace(/(www|mailto|xmpp)(?=[.:])/giu, '$1\u200b')
    .replace(/\](?=[([:])/gu, ']\u200b');
}

/** At most so many characters, and it says so where there were more. */
export function shorten(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const end = mostCharacters - cutMark.length;
  // Between the halves of a character nothing is cut.
  return `${text.slice(0, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end)}${cutMark}`;
}

const cutMark = ' … (cut)';
