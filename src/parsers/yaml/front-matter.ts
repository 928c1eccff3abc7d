/** The YAML between the two `---` lines that open a Markdown file such as SKILL.md. */
export interface FrontMatter {
  readonly yaml: string;
  /** The number of lines in the file before the first line of YAML. */
  readonly linesBefore: number;
  readonly body: string;
}

/** Reads front matter; returns null if the file does not open with it, or if nothing closes it. */
export function readFrontMatter(text: string): FrontMatter | null {
  const [opening = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r\n|\n/);
  const end = lines.findIndex((line) => fence.test(line));
  if (!fence.test(opening) || end < 0) return null;
  return {
    yaml: lines.slice(0, end).join('\n'),
    linesBefore: 1,
    body: lines.slice(end + 1).join('\n'),
  };
}

const fence = /^---[ \t]*$/;
