/** Turns the events of a run into updates of its session at an editor. */
import { isAbsolute, resolve } from 'node:path';
import type { SessionUpdate, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';
import { agentName } from '../../events/speakers.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { onOneLine } from '../../text/one-line.ts';
import { printable, shorten } from '../../views/reports/foreign-text.ts';
import { createReviewProgress } from '../../views/screen/progress.ts';
import { mainArgument } from '../../views/screen/main-argument.ts';
import { createTextParts, type TextPart, type TextParts } from '../../views/talk/text-parts.ts';
import { describeTag, plainHeading } from '../../views/talk/protocol-words.ts';
import { createRunPlan } from './run-plan.ts';

export interface RunUpdates {
  push(event: CollabEvent): readonly SessionUpdate[];
  /** Returns the texts that have begun and not ended. */
  end(): readonly SessionUpdate[];
}

/** Characters of a tool's output and of a title; a person reads the rest in the transcript. */
const mostOutput = 4000;
const mostTitle = 200;

/** Shows the work of agents as thoughts and tool calls: a message of the agent is collab's own. */
export function createRunUpdates({ runId, input }: OpenedRun, cwd: string): RunUpdates {
  const plan = createRunPlan(input);
  const progress = createReviewProgress();
  const texts = new Map<string, TextParts>();
  let speaker = '';

  const toolId = (callId: string) => `${runId}/${callId}`;

  function thoughts(event: CollabEvent, parts: readonly TextPart[]): readonly SessionUpdate[] {
    return parts.map((part) => {
      const name = agentName(event.agent.provider);
      const head = speaker === event.agent.id ? '' : `**${name}**\n\n`;
      speaker = event.agent.id;
      const text = part.kind === 'tag' ? `_${name} ${describeTag(part.tag)}_` : textOf(part);
      return thought(`${head}${text}\n\n`);
    });
  }

  function ofText(event: CollabEvent): readonly SessionUpdate[] {
    if (event.type !== 'text.delta' && event.type !== 'text.end') return [];
    const id = `${event.step ?? ''}/${event.agent.id}/${event.block_id}`;
    const known = texts.get(id);
    if (event.type === 'text.delta') {
      const parts = known ?? createTextParts();
      texts.set(id, parts);
      return thoughts(event, parts.push(event.text));
    }
    texts.delete(id);
    const parts = known ?? createTextParts();
    return thoughts(event, [...(known === undefined ? parts.push(event.text) : []), ...parts.end()]);
  }

  function ofTool(event: CollabEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'tool.call':
        return [
          {
            sessionUpdate: 'tool_call',
            toolCallId: toolId(event.call_id),
            title: titleOf(event),
            kind: kinds.get(event.name) ?? 'other',
            status: 'in_progress',
            locations: locationsOf(event, cwd),
          },
        ];
      case 'tool.result':
        return [
          {
            sessionUpdate: 'tool_call_update',
            toolCallId: toolId(event.call_id),
            status: event.is_error ? 'failed' : 'completed',
            content: textContent(shorten(printable(event.content), mostOutput)),
          },
        ];
      default:
        return [];
    }
  }

  function ofProgress(event: CollabEvent): readonly SessionUpdate[] {
    const lines = progress.push(event);
    // The question of a gate is its own request; the plan says which phase has begun.
    if (lines.length === 0 || event.type === 'phase.started') return [];
    speaker = '';
    return [thought(lines.map((line) => `${printable(line)}\n\n`).join(''))];
  }

  return {
    push(event) {
      const entries = plan.push(event);
      return [
        ...(entries === null ? [] : [{ sessionUpdate: 'plan' as const, entries: [...entries] }]),
        ...ofText(event),
        ...ofTool(event),
        ...ofProgress(event),
      ];
    },
    end() {
      const rest = [...texts.values()].flatMap((parts) => parts.end());
      texts.clear();
      return rest.map((part) => thought(part.kind === 'tag' ? `${part.tag}\n\n` : `${textOf(part)}\n\n`));
    },
  };
}

export function thought(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } };
}

export function message(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
}

export function textContent(text: string) {
  return text === '' ? [] : [{ type: 'content' as const, content: { type: 'text' as const, text } }];
}

/** Sections have the names that people read. */
function textOf({ text }: Extract<TextPart, { kind: 'markdown' }>): string {
  return printable(text.trimEnd()).replace(
    /^(#{1,6} )(.+)$/gm,
    (_line, marks: string, name: string) => marks + plainHeading(name),
  );
}

function titleOf(event: CollabEventOf<'tool.call'>): string {
  const name = event.display_name === '' ? event.name : event.display_name;
  const argument = mainArgument(event);
  const text = argument === '' || argument === name ? name : `${name}: ${argument}`;
  return shorten(onOneLine(printable(text)), mostTitle);
}

/** The agents read and edit a copy: a path in it names no file of the person, and gives no place. */
function locationsOf({ args }: CollabEventOf<'tool.call'>, cwd: string): ToolCallLocation[] {
  const path = args['file_path'] ?? args['path'];
  if (typeof path !== 'string' || path === '' || isAbsolute(path)) return [];
  return [{ path: resolve(cwd, path) }];
}

const kinds: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries({
    Bash: 'execute',
    Read: 'read',
    LS: 'read',
    NotebookEdit: 'edit',
    Edit: 'edit',
    MultiEdit: 'edit',
    Write: 'edit',
    Grep: 'search',
    Glob: 'search',
    Search: 'search',
    WebSearch: 'search',
    WebFetch: 'fetch',
    Task: 'think',
  } satisfies Readonly<Record<string, ToolKind>>),
);
