/** Folds the output of agents into entries in their order: texts, thinking, tool calls and the entries between them. */
import type { CollabEvent, CollabEventOf } from '../../../src/client/run-events.ts';
import type { TimelineEntry, EntryBody, EntryOf, EntryPlace } from '../run-state.ts';
import { createKeyedList } from './keyed-list.ts';

export interface SaidFold {
  readonly take: (event: CollabEvent, place: EntryPlace) => void;
  readonly add: (place: EntryPlace, body: EntryBody) => void;
  readonly current: () => readonly TimelineEntry[];
}

export function createSaidFold(): SaidFold {
  const entries = createKeyedList<TimelineEntry, number>(({ id }) => id);
  /** Ids of open entries, by their keys. */
  const open = new Map<string, number>();

  function add(place: EntryPlace, body: EntryBody): number {
    entries.put(place.id, { ...place, ...body });
    return place.id;
  }

  function change<Kind extends TimelineEntry['kind']>(
    key: string,
    kind: Kind,
    changed: (entry: EntryOf<Kind>) => TimelineEntry,
  ): void {
    const id = open.get(key);
    const entry = id === undefined ? undefined : entries.get(id);
    if (entry !== undefined && isOf(kind, entry)) entries.put(entry.id, changed(entry));
  }

  function write(event: CollabEventOf<'text.delta' | 'text.start'>, place: EntryPlace): void {
    const key = blockKey('text', event);
    const text = event.type === 'text.delta' ? event.text : '';
    if (!open.has(key)) open.set(key, add(place, { kind: 'text', text, isOpen: true }));
    else if (text !== '') change(key, 'text', (entry) => ({ ...entry, text: entry.text + text }));
  }

  function think(event: CollabEventOf<'thinking.delta'>, place: EntryPlace): void {
    const key = blockKey('thinking', event);
    const { text } = event;
    if (open.has(key)) return change(key, 'thinking', (entry) => ({ ...entry, text: entry.text + text }));
    open.set(key, add(place, { kind: 'thinking', text, isOpen: true, isRedacted: false }));
  }

  function call(event: CollabEventOf<'tool.call'>, place: EntryPlace): void {
    const { display_name: displayName, args, summary, trigger } = event;
    const tool = { displayName, args, summary, trigger };
    const fresh = { status: 'pending', output: '', result: null, permission: null } as const;
    open.set(toolKey(event), add(place, { kind: 'tool', ...tool, ...fresh }));
  }

  function end(event: CollabEventOf<'tool.result'>): void {
    const { content, is_error: isError, exit_code: exitCode = null, duration_ms: durationMs } = event;
    const result = { content, isError, exitCode, durationMs };
    const status = isError ? 'error' : 'completed';
    change(toolKey(event), 'tool', (entry) => ({ ...entry, status, result }));
    open.delete(toolKey(event));
  }

  /** Drops everything that a lost attempt opened and did not close. */
  function abandon(event: CollabEventOf<'step.abandoned'>, place: EntryPlace): void {
    const opened = [...open].filter(([, id]) => entries.get(id)?.step === event.step);
    const gone = new Set(opened.map(([, id]) => id));
    for (const [key] of opened) open.delete(key);
    entries.drop(({ id }) => gone.has(id));
    const { reason = 'lost' } = event;
    const last = entries.current().at(-1);
    // Steps that were lost together are shown once.
    if (last?.kind !== 'lost' || last.reason !== reason) add(place, { kind: 'lost', reason });
  }

  return {
    add,
    current: entries.current,
    take(event, place) {
      switch (event.type) {
        case 'text.start':
        case 'text.delta':
          return write(event, place);
        case 'text.end': {
          const key = blockKey('text', event);
          const { text } = event;
          if (!open.has(key)) return void add(place, { kind: 'text', text, isOpen: false });
          change(key, 'text', (entry) => ({ ...entry, text, isOpen: false }));
          return void open.delete(key);
        }
        case 'thinking.delta':
          return think(event, place);
        case 'thinking.end': {
          const key = blockKey('thinking', event);
          const isRedacted = event.redacted ?? false;
          change(key, 'thinking', (entry) => ({ ...entry, isOpen: false, isRedacted }));
          return void open.delete(key);
        }
        case 'tool.call':
          return call(event, place);
        case 'tool.status':
          return change(toolKey(event), 'tool', (entry) => ({ ...entry, status: event.status }));
        case 'tool.output':
          return change(toolKey(event), 'tool', (entry) => ({
            ...entry,
            output: entry.output + event.chunk,
          }));
        case 'permission': {
          const { decision, by } = event;
          return change(toolKey(event), 'tool', (entry) => ({ ...entry, permission: { decision, by } }));
        }
        case 'tool.result':
          return end(event);
        case 'agent.started': {
          const { agent_type: type, description } = event;
          const agent = { type, description, status: 'running' } as const;
          return void open.set(`agent ${event.agent_id}`, add(place, { kind: 'agent', agent }));
        }
        case 'agent.ended': {
          const key = `agent ${event.agent_id}`;
          const { status } = event;
          change(key, 'agent', (entry) => ({ ...entry, agent: { ...entry.agent, status } }));
          return void open.delete(key);
        }
        case 'file.changed':
          return void add(place, { kind: 'file', path: event.path, change: event.kind });
        case 'plan.updated':
          return void add(place, { kind: 'plan', items: event.items });
        case 'media':
          return void add(place, { kind: 'media', what: event.mime_type });
        case 'ui':
          return void add(place, { kind: 'media', what: 'ui' });
        case 'raw':
          return void add(place, { kind: 'raw', line: event.line });
        case 'step.abandoned':
          return abandon(event, place);
        default:
          return undefined;
      }
    },
  };
}

function isOf<Kind extends TimelineEntry['kind']>(kind: Kind, entry: TimelineEntry): entry is EntryOf<Kind> {
  return entry.kind === kind;
}

type Block = CollabEventOf<'text.start' | 'text.delta' | 'text.end' | 'thinking.delta' | 'thinking.end'>;

function blockKey(kind: string, { step, exchange_id, agent, block_id }: Block): string {
  return JSON.stringify([kind, step, exchange_id, agent.id, block_id]);
}

function toolKey({ call_id }: { readonly call_id: string }): string {
  return `tool ${call_id}`;
}
