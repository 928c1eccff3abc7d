/**
 * The conversation of a run for a person at a terminal: Markdown rendered, lead and advisor told apart, the protocol in
 * words, edits as diffs. Another projection of the events that specification 000's screen shows; it says the same facts.
 */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { AgentNames } from '../../events/speakers.ts';
import { capitalize } from '../../text/capitalize.ts';
import { neutralise } from '../../text/neutralise.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { Paint, Style } from '../../text/paint.ts';
import { renderDuration } from '../../text/quantities.ts';
import { paintLine, styled, wrapSpans, type Line } from '../../text/spans.ts';
import { renderMarkdown } from '../markdown/terminal-markdown.ts';
import { createModerator } from '../screen/interleave.ts';
import { createReviewProgress } from '../screen/progress.ts';
import type { InitResponse, Response } from '../screen/response.ts';
import { createResponseFold } from '../screen/response-projection.ts';
import { describeResult, describeUse } from '../screen/tool-lines.ts';
import { editLines } from './edit-lines.ts';
import { describeTag, plainHeading } from './protocol-words.ts';
import { createTextParts, type TextPart } from './text-parts.ts';

export interface RunTalkOptions {
  /** The present width of the terminal. */
  readonly columns: () => number;
  readonly paint: Paint;
  /** Paths inside it are shown relative to it. */
  readonly cwd: string;
  /** Words in brackets instead of emoji. */
  readonly ascii: boolean;
  /** Shows the edit of a tool call with its result: before it, a question may show the edit. */
  readonly defersEdits?: boolean;
}

export interface RunTalk {
  /** Names the agents as the introduction does; otherwise their provider gives the name. */
  introduce(names: AgentNames): void;
  /** Leaves out the deferred edit of this call: a question shows it. */
  dropEdit(callId: string): void;
  /** Returns the lines that an event adds, without line endings; most events add none. */
  push(event: CollabEvent): readonly string[];
  /** Returns the lines still due if the events stop without `run.ended`. */
  end(): readonly string[];
}

/** Longer lines of prose are hard to read. */
const mostColumns = 100;
const indentation = '  ';

/** An empty line comes between two of different kinds, and before every head and text. */
type Kind = 'head' | 'status' | 'text' | 'tool' | 'edit' | 'note';

const roleStyles: Readonly<Record<CollabEvent['agent']['role'], Style>> = {
  lead: 'magenta',
  advisor: 'blue',
  sub: 'cyan',
};

export function createRunTalk({ columns, paint, cwd, ascii, defersEdits = false }: RunTalkOptions): RunTalk {
  const moderator = createModerator();
  const fold = createResponseFold();
  const progress = createReviewProgress();
  const blocks = createTextParts();
  /** The name of the session's own agent, as its Init gave it. */
  let own: Pick<InitResponse, 'content' | 'session_id' | 'model'> | null = null;
  /** The agent whose name was shown last; null if a phase began since. */
  let speaker: string | null = null;
  let name = '';
  let names: AgentNames = {};
  /** Agents whose model and session were shown. */
  const known = new Set<string>();
  /** Deferred edits by the ids of their calls. */
  const edits = new Map<string, readonly Line[]>();
  let last: Kind | null = null;
  let printed: string[] = [];

  const width = () => Math.max(1, Math.min(mostColumns, columns() - 1) - indentation.length);

  function add(kind: Kind, lines: readonly Line[]): void {
    if (lines.length === 0) return;
    const isApart = last !== null && last !== 'head' && (kind !== last || kind === 'text');
    const isJoined =
      [last, kind].every((each) => each === 'tool' || each === 'edit') ||
      (last === 'status' && kind === 'note');
    if (kind === 'head' ? last !== null : isApart && !isJoined) printed.push('');
    const indent = kind === 'head' ? '' : indentation;
    for (const line of lines) printed.push(line.length === 0 ? '' : indent + paintLine(line, paint));
    last = kind;
  }

  const say = (kind: Kind, text: string, ...styles: readonly Style[]) =>
    add(kind, wrapSpans([styled(onOneLine(text), ...styles)], width()));

  function addBlocks(whole: readonly TextPart[]): void {
    for (const block of whole) {
      if (block.kind === 'tag')
        say('status', `${ascii ? '>' : '↳'} ${name} ${describeTag(block.tag)}`, 'dim');
      else add('text', renderMarkdown(block.text, width(), plainHeading));
    }
  }

  const endText = () => addBlocks(blocks.end());

  function turnTo(response: Response, role: CollabEvent['agent']['role']): void {
    const said = 'speaker' in response ? response.speaker : undefined;
    const id = said?.id ?? '';
    if (id === speaker) return;
    endText();
    speaker = id;
    const isInPair = said === undefined || (role === 'advisor' && said.depth === 1);
    const given = isInPair ? names[role] : undefined;
    name = onOneLine(neutralise(given ?? said?.name ?? own?.content ?? ''));
    const { model, session_id: session } = said ?? own ?? {};
    const facts = known.has(id) ? [] : [model, session];
    known.add(id);
    const rest = facts.flatMap((fact) => (fact === undefined ? [] : [` · ${onOneLine(neutralise(fact))}`]));
    add('head', wrapSpans([styled(name, 'bold', roleStyles[role]), styled(rest.join(''), 'dim')], width()));
  }

  function show(response: Response, { agent: { role } }: CollabEvent): void {
    switch (response.type) {
      case 'init':
        own = response;
        return;
      case 'message':
        turnTo(response, role);
        return addBlocks(blocks.push(response.content));
      case 'tool_use':
        turnTo(response, role);
        endText();
        return say('tool', describeUse(response, { cwd, ascii }), 'cyan');
      case 'tool_result': {
        turnTo(response, role);
        endText();
        const summary = describeResult(response);
        return summary === null ? undefined : say('tool', `${ascii ? '->' : '→'} ${summary}`, 'dim');
      }
      case 'result':
      case 'error':
        // The report has the usage and what ended the run; the model itself tells of a tool that failed.
        return;
    }
  }

  function note(event: CollabEvent): void {
    const lines = progress.push(event);
    // Its text has just been shown.
    if (event.type === 'exchange.asked_back') return;
    if (event.type === 'phase.started') {
      endText();
      speaker = null;
      const { phase, round } = event;
      const title = `${capitalize(phase)}${round === 1 ? '' : `, round ${round}`}`;
      return add('head', [
        [styled(`━━ ${title} `, 'bold'), styled('━'.repeat(Math.max(0, width() - title.length - 2)), 'dim')],
      ]);
    }
    if (event.type === 'run.ended') return say('note', `took ${renderDuration(event.duration_ms)}`, 'dim');
    if (lines.length === 0) return;
    endText();
    for (const line of lines) say('note', line, 'dim');
  }

  function addEdit(edit: readonly Line[]): void {
    if (edit.length === 0) return;
    endText();
    add('edit', edit);
  }

  function showEdit(callId: string): void {
    addEdit(edits.get(callId) ?? []);
    edits.delete(callId);
  }

  function take(event: CollabEvent): void {
    const responses = fold.push(event);
    for (const response of responses) show(response, event);
    if (event.type === 'tool.result') showEdit(event.call_id);
    if (event.type === 'text.end') endText();
    const edit = editLines(event, width());
    if (event.type === 'tool.call' && defersEdits) edits.set(event.call_id, edit);
    else addEdit(edit);
    note(event);
  }

  function printedBy(act: () => void): readonly string[] {
    printed = [];
    act();
    return printed;
  }

  return {
    introduce: (given) => {
      names = given;
    },
    dropEdit: (callId) => void edits.delete(callId),
    push: (event) => printedBy(() => moderator.push(event).forEach(take)),
    end: () =>
      printedBy(() => {
        moderator.end().forEach(take);
        [...edits.keys()].forEach(showEdit);
        endText();
      }),
  };
}
