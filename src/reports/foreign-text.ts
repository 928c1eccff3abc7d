import { neutralise } from '../wire/neutralise.ts';

/**
 * Text that somebody else wrote, for a log: no control sequences (X000-6), and nothing that a CI runner takes for a
 * command of the job: `::error` at the begin of a line, `##[…]` and its kin anywhere.
 */
export function printable(text: string): string {
  return breakJobCommands(neutralise(text));
}

/** A blank inside the mark is enough: runners look for the exact characters. */
export function breakJobCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gmu, '$1: ').replace(/##(?=\[|vso\[|teamcity\[)/giu, '# #');
}
