/** Turns the tool calls of one turn into events: each call once, its result once, and its changes. */
import { z } from 'zod';
import type { EventBody } from '../../events/collab-event.ts';
import { isHanded } from './tool-server.ts';
import type { WireToolResult } from './wire.ts';
import { pathWithin } from '../../system/is-inside.ts';

type Arguments = Extract<EventBody, { type: 'tool.call' }>['args'];

export interface ResultDetails {
  /** The program's data beside the text for the model. */
  readonly facts: unknown;
  readonly denied: boolean;
  /** The working folder; paths in it are shown relative to it. */
  readonly cwd: string | null;
}

export function createToolEvents(emit: (event: EventBody) => void) {
  const streamed = new Map<string, { readonly id: string; readonly name: string; json: string }>();
  const made = new Set<string>();
  const open = new Map<string, string>();

  function make({ id, name, input }: { id: string; name: string; input: Arguments }): void {
    if (made.has(id) || isHanded(name)) return;
    made.add(id);
    open.set(id, name);
    const call = { call_id: id, name, display_name: name, args: input, summary: summaryOf(input) };
    emit({ type: 'tool.call', ...call, trigger: 'agent' });
    emit({ type: 'tool.status', call_id: id, status: 'running', message: '' });
    if (agentTools.has(name)) emit(agentStarted(id, input));
  }

  function finish(id: string, outcome: { content: string; is_error: boolean; duration_ms: number }): void {
    const name = open.get(id);
    if (name === undefined) return;
    open.delete(id);
    if (agentTools.has(name)) {
      const preview = outcome.content.slice(0, previewChars);
      emit({ type: 'agent.ended', agent_id: id, status: outcome.is_error ? 'error' : 'completed', preview });
    }
    const status = outcome.is_error ? 'error' : 'completed';
    emit({ type: 'tool.status', call_id: id, status, message: '' });
    emit({ type: 'tool.result', call_id: id, name, ...outcome });
  }

  return {
    /** Opens a call whose arguments are streamed. */
    open(key: string, { id, name }: { readonly id: string; readonly name: string }): void {
      if (!isHanded(name)) streamed.set(key, { id, name, json: '' });
    },
    add(key: string, piece: string): void {
      const call = streamed.get(key);
      if (call === undefined || piece === '') return;
      call.json += piece;
      if (!made.has(call.id)) emit({ type: 'tool.input', call_id: call.id, name: call.name, delta: piece });
    },
    /** Ends the arguments and emits the call, unless its whole line arrived first. */
    close(key: string): void {
      const call = streamed.get(key);
      streamed.delete(key);
      const input = call === undefined ? null : parseArguments(call.json);
      if (call !== undefined && input !== null) make({ ...call, input });
    },
    /** Takes the call from the message line. */
    call: make,
    result(result: WireToolResult, { facts, denied, cwd }: ResultDetails): void {
      const id = result.tool_use_id;
      if (denied && open.has(id)) emit({ type: 'permission', call_id: id, decision: 'deny', by: 'policy' });
      const isError = result.is_error === true;
      const changed = isError ? null : changedFile(open.get(id), facts, cwd);
      if (changed !== null) emit(changed);
      finish(id, { content: textOf(result.content), is_error: isError, duration_ms: 0 });
    },
    /** Gives a result to every call that has none. */
    end(): void {
      const content = 'the turn ended before the tool did';
      for (const id of open.keys()) finish(id, { content, is_error: true, duration_ms: 0 });
    },
  };
}

/** None of our turns has one; they are named correctly in case a version adds them. */
const agentTools = new Set(['Task', 'Agent']);
const previewChars = 200;

function agentStarted(id: string, input: Arguments): EventBody {
  const text = (key: string, fallback: string): string => {
    const value = input[key];
    return typeof value === 'string' ? value : fallback;
  };
  return {
    type: 'agent.started',
    agent_id: id,
    agent_type: text('subagent_type', 'agent'),
    description: text('description', ''),
  };
}

const argumentsSchema = z.record(z.string(), z.json());

/** Parses streamed arguments; an empty text means no arguments were streamed. */
function parseArguments(json: string): Arguments | null {
  try {
    return argumentsSchema.parse(JSON.parse(json === '' ? '{}' : json));
  } catch {
    return null;
  }
}

/** Returns the most telling argument, for one line. */
function summaryOf(input: Arguments): string {
  const texts = ['file_path', 'pattern', 'path', 'command', 'description'].map((name) => input[name]);
  return texts.find((value) => typeof value === 'string')?.slice(0, 200) ?? '';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = partsSchema.safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text ?? '').join('') : JSON.stringify(content ?? '');
}

const partsSchema = z.array(z.looseObject({ text: z.string().nullish() }));

const changeSchema = z.looseObject({ filePath: z.string(), type: z.string().nullish() });

function changedFile(name: string | undefined, facts: unknown, cwd: string | null): EventBody | null {
  if (name !== 'Edit' && name !== 'Write') return null;
  const change = changeSchema.safeParse(facts);
  if (!change.success) return null;
  const { filePath, type } = change.data;
  const path = cwd === null ? filePath : pathWithin(filePath, cwd);
  return { type: 'file.changed', path, kind: type === 'create' ? 'add' : 'update' };
}
