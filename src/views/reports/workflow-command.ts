/** Renders GitHub's workflow commands: lines of a log that become annotations. */

export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
}

/** The runner silently cuts messages beyond this many characters. */
export const longestMessage = 4096;

/** A title of a check's annotation has at most 255 characters. */
export const longestTitle = 200;

/** Renders one line; no character in a value can end the value, the line or the command. */
export function renderWorkflowCommand({ kind, message, ...properties }: Annotation): string {
  const values = (['file', 'line', 'endLine', 'title'] as const).flatMap((name) => {
    const value = properties[name];
    return value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`];
  });
  return `::${kind} ${values.join(',')}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
