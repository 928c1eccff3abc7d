/** Additions to the turn of a lead that called us: it gets its message as a question of the run. */

export const aboutCallersAnswer = 'what you say in this turn, as the text above asks for it';

export function placeOfWork(folder: string | null, edits: boolean): string {
  if (folder === null) return '';
  return `\nThe working folder is ${folder}; ${edits ? 'change files only there' : 'read only, change nothing'}.\n`;
}
