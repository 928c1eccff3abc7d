import type { Finding } from '../../events/collab-event.ts';
import type { Line } from '../../text/spans.ts';

/** The additions that a report has only at a terminal; the facts are the same without them. */
export interface TerminalLook {
  /** Returns the address of a finding's line; null if there is no such file. Default: no links. */
  readonly addressOf?: (finding: Finding) => string | null;
  /** Returns the lines of the code, in colors. Their text is that of the code. Default: no colors. */
  readonly colorsOf?: (code: string, path: string | null) => readonly Line[];
  /** Returns the lines of a Markdown text, none wider than `columns`. Default: the text as it is, wrapped. */
  readonly renderMarkdown?: (markdown: string, columns: number) => readonly Line[];
  /** Adds a table of the findings below a list of several. */
  readonly table: boolean;
}
