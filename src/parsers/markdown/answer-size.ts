/** The largest answer that is read, in UTF-8: 64,000 tokens, far more than a reader can use. */
export const maxAnswerBytes = 256 * 1024;

/**
 * The most lines, table cells and marks of lists and quotes together: remark's time grows with the square of their
 * number. The largest answer has 26 bytes for each.
 */
export const maxAnswerMarks = 10_000;

/** Limit of the thinking, tool input and output that is kept of one turn; one block or call has the limit of an answer. */
export const maxTurnOutputBytes = 16 * 1024 * 1024;

/** Limit of all other events of one turn: text blocks, tool calls, and the fields around each event. */
export const maxTurnEventBytes = 16 * 1024 * 1024;

/** Marks the end of thinking or tool output that was cut. */
export const outputCut = '\n[cut by collab: only the beginning is kept]\n';

/** The stop reason of an answer that was stopped because it is too large. */
export const stoppedAtLimit = 'answer_limit';
/** The stop reason of a turn that was stopped because its events are too large together. */
export const stoppedAtTurnLimit = 'turn_limit';

/** Returns why an answer was stopped by us, in words that follow "the answer"; null if it was not. */
export function stoppedProblem(stopReason: string | null): string | null {
  if (stopReason === stoppedAtLimit) return 'was stopped: it grew beyond 256 KiB';
  return stopReason === stoppedAtTurnLimit ? 'was stopped: the events of its turn grew beyond 16 MiB' : null;
}

/** Follows "the answer". */
export const unreadProblem = 'could not be read within 4 s';

/** Returns the size in UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Returns as much of the beginning as fits, in whole characters. */
export function beginningOf(text: string, sizeBytes: number): string {
  if (bytesOf(text) <= sizeBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(sizeBytes));
  return text.slice(0, read);
}

/** Returns why a text is not read, to follow "the answer"; null if it is read. Takes linear time. */
export function sizeProblem(text: string): string | null {
  const bytes = bytesOf(text);
  if (bytes > maxAnswerBytes) return `has ${bytes} bytes; 256 KiB is the limit`;
  const marks = marksIn(text);
  if (marks <= maxAnswerMarks) return null;
  return `has ${marks} lines, table cells and list or quote marks; ${maxAnswerMarks} is the limit`;
}

/**
 * Returns true for a text that may take more than about 0.1 s to read, although it is within the bounds. Takes linear
 * time.
 */
export function isLong(text: string): boolean {
  if (sizeProblem(text) !== null) return false;
  return text.length > maxAnswerBytes / 8 || marksIn(text) > maxAnswerMarks / 8;
}

function marksIn(text: string): number {
  return count(text, /[\n\r|]/g) + marksOfContainers(text) + underlineWeight * count(text, underline);
}

/** A line that makes a heading of the line above it. remark copies all of its events for each. */
const underline = /[\n\r][ \t>]*(?:=+|-+)[ \t]*(?=[\n\r]|$)/g;
const underlineWeight = 10;

/** Matches the marks of quotes, bullets and numbers at the start of a line. */
const containerMarks = /(?:^|[\n\r])(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t\n\r])))+/g;

function marksOfContainers(text: string): number {
  let marks = 0;
  for (const [found] of text.matchAll(containerMarks)) marks += count(found, />|[-+*]|\d[.)]/g);
  return marks;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
