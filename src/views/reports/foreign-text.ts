import { breakJobCommands } from '../../text/job-commands.ts';
import { neutralise } from '../../text/neutralise.ts';

/**
 * Makes foreign text safe for a log: no control sequences (X000-6), and no text that a CI runner would run as a command
 * of the job.
 */
export function printable(text: string): string {
  return breakJobCommands(neutralise(text));
}

/** Such tools commonly use a zero-width space; the text looks the same. */
export function breakMentions(text: string): string {
  return breakQuickActions(text)
    .replace(/@(?=[\p{L}\p{N}_])/gu, '@\u200b')
    .replace(/([#!&%~])(?=\d)/gu, '$1\u200b')
    .replace(/\b(GH-)(?=\d)/gu, '$1\u200b');
}

/** Makes lines that GitLab would carry out, such as `/close`, into text. */
export function breakQuickActions(text: string): string {
  return text.replace(quickAction, '$1\u200b');
}

/** Returns true if a line of the text is one that GitLab would carry out. */
export function hasQuickAction(text: string): boolean {
  return text.search(quickAction) !== -1;
}

const quickAction = /^(\s*\/)(?=[a-z])/gimu;

/**
 * Makes foreign text safe for a field that may be shown as text, Markdown or HTML: in addition to {@link printable},
 * leaves no tag, link, mention or reference in it. The text looks the same.
 */
export function inert(text: string): string {
  return breakMentions(printable(text))
    .replace(/<(?=[a-z/!?])/giu, '<\u200b')
    .replace(/([a-z][a-z0-9+.-]*:)(?=\/\/)/giu, '$1\u200b')
    .replace(/(www|mailto|xmpp)(?=[.:])/giu, '$1\u200b')
    .replace(/\](?=[([:])/gu, ']\u200b');
}

/** Returns at most `mostCharacters`, with a note if the text was longer. */
export function shorten(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const end = mostCharacters - cutMark.length;
  // Never cuts between the halves of a character.
  return `${text.slice(0, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end)}${cutMark}`;
}

const cutMark = ' … (cut)';
