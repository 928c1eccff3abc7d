/** The content of a unified diff, file by file. Paths are POSIX, relative to the repository root, unquoted. */
export interface ParsedDiff {
  readonly files: readonly DiffFile[];
  /** Lines that belong to no file: a mail header, a commit message. Kept to distinguish "garbage" from "empty". */
  readonly preamble: readonly string[];
  /** The reasons that the text cannot be reviewed as a whole change; it is read as far as possible. */
  readonly faults: readonly DiffFault[];
}

export interface DiffFault {
  /**
   * `damaged`: it contradicts itself. `merge`: it has two old sides. `repeated`: a file occurs twice, as in a series of
   * commits, and line numbers refer to several states. `text_missing`: a file is named without its text.
   */
  readonly kind: 'damaged' | 'merge' | 'repeated' | 'text_missing';
  /** 1-based line of the diff's text. */
  readonly line: number;
  /** Fits "line 12: <message>". */
  readonly message: string;
}

export type FileChange = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'mode_changed';

export interface DiffFile {
  /** The path on the new side; on the old side if the file was deleted. */
  readonly path: string;
  /** Differs from `path` for renames and copies; null for an added file. */
  readonly oldPath: string | null;
  readonly change: FileChange;
  readonly binary: boolean;
  /** Blob ids of the `index` line, abbreviated as given; null if there is none. */
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly oldMode: string | null;
  readonly newMode: string | null;
  readonly hunks: readonly Hunk[];
}

export interface Hunk {
  /** The text after the second `@@`, without its leading space. */
  readonly heading: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context';
  /** Without the leading `+`, `-` or space and without the line end; a trailing CR is kept. */
  readonly text: string;
  /** 1-based; null on the side where the line does not exist. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
  /** True if `\ No newline at end of file` follows. */
  readonly noNewline: boolean;
}

/** Lines of the new side, both ends included; for deleted files lines of the old side. */
export interface LineRange {
  readonly path: string;
  readonly side: 'new' | 'old';
  readonly start: number;
  readonly end: number;
}
