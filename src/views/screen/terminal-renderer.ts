import { onOneLine } from '../../text/one-line.ts';
import { createNeutraliser, neutralise, type Neutraliser } from '../../text/neutralise.ts';
import { createPaint } from '../../text/paint.ts';
import type { InitResponse, Response, ResultResponse } from './response.ts';
import type { SpeakingAgent } from '../../events/speakers.ts';
import { createLineWriter } from './line-writer.ts';
import { describeResult, describeUse } from './tool-lines.ts';

export interface TerminalOptions {
  readonly write: (text: string) => void;
  /** Paths inside it are shown relative to it. */
  readonly cwd: string;
  /** Default false: the same characters without any escape sequence (X000-11). */
  readonly color?: boolean;
  /** Words in brackets instead of emoji. */
  readonly ascii?: boolean;
  /**
   * For `--verbose`: receives the errors that the screen hides, dimmed, one per line, without the line ending (X000-8).
   */
  readonly onHiddenError?: (line: string) => void;
}

/** The last output on the screen; decides which empty lines come next (X000-3). */
type Shown = 'nothing' | 'label' | 'message' | 'tool';

/** Writes the responses of a session in the screen format of specification 000. */
export function createTerminalRenderer(options: TerminalOptions) {
  const { cwd, color = false, ascii = false } = options;
  const writer = createLineWriter(options.write);
  const paint = createPaint(color);
  const marks = ascii ? asciiMarks : emojiMarks;
  const labelled = new Set<string>();
  let speakerId = '';
  let shown: Shown = 'nothing';
  /** Present while a text is being written. */
  let foreign: Neutraliser | null = null;

  function label(agent: AgentLabel): void {
    writer.line(paint.bold(`${marks.init} ${renderLabel(agent)}`), 2);
    shown = 'label';
  }

  /** Output of other agents is separate, indented, under their names (X000-10). */
  function turnTo(speaker: SpeakingAgent | undefined): void {
    const id = speaker?.id ?? '';
    if (id === speakerId) return;
    endText();
    speakerId = id;
    writer.indent(2 * (speaker?.depth ?? 0));
    shown = 'label';
    if (speaker === undefined || labelled.has(id)) return;
    labelled.add(id);
    label({ ...speaker, content: speaker.name });
  }

  function say(piece: string): void {
    if (foreign === null) writer.beginText(2);
    foreign ??= createNeutraliser();
    if (writer.text(foreign.push(piece))) shown = 'message';
  }

  function endText(): void {
    if (foreign !== null && writer.text(foreign.end())) shown = 'message';
    foreign = null;
  }

  function toolLine(text: string): void {
    endText();
    writer.line(text, shown === 'label' ? 2 : 1);
    shown = 'tool';
  }

  function hide(error: string): void {
    options.onHiddenError?.(paint.dim(onOneLine(neutralise(error))));
  }

  return {
    render(response: Response): void {
      if (isSpoken(response)) turnTo(response.speaker);
      switch (response.type) {
        case 'init':
          label(response);
          break;
        case 'message':
          say(response.content);
          break;
        case 'tool_use':
          toolLine(paint.cyan(describeUse(response, { cwd, ascii })));
          break;
        case 'tool_result': {
          const summary = describeResult(response);
          if (summary !== null) toolLine(paint.dim(`  ${marks.result} ${summary}`));
          break;
        }
        case 'error':
          // The model itself reports a tool that failed (R000-25, pattern 5).
          if (response.tool === undefined) hide(response.content);
          break;
        case 'result':
          turnTo(undefined);
          endText();
          writer.line(paint.dim(`${marks.statistics} ${renderResult(response)}`), 2);
          shown = 'label';
      }
    },
    /** Ends an unfinished line, for a stream that stops without its Result. */
    finish(): void {
      endText();
      writer.finish();
    },
  };
}

function isSpoken(
  response: Response,
): response is Extract<Response, { type: 'message' | 'tool_use' | 'tool_result' }> {
  if (response.type === 'message') return response.content !== '';
  return response.type === 'tool_use' || response.type === 'tool_result';
}

const emojiMarks = { init: '🚀', result: '→', statistics: '📊' };
const asciiMarks: typeof emojiMarks = { init: '[init]', result: '->', statistics: '[stats]' };

type AgentLabel = Pick<InitResponse, 'content' | 'session_id' | 'model'>;

function renderLabel({ content, model, session_id: sessionId }: AgentLabel): string {
  const id = sessionId === undefined ? '' : `, id=${sessionId}`;
  return onOneLine(neutralise(`${content}: model=${model ?? 'unknown'}${id}`));
}

/** Adds the next session's tokens to the statistics, unless they are in them already (X000-2). */
function renderResult({ content, token }: ResultResponse): string {
  const next = `next_session_tokens=${token}`;
  const statistics = onOneLine(neutralise(content));
  if (statistics.includes('next_session_tokens=')) return statistics;
  return statistics === '' ? next : `${statistics}, ${next}`;
}
