/** The laws of a run's events (`references/requirements.md`, XB-1 to XB-7), checked record by record, for `collab check <run>` and the tests. */
import type { CollabEvent } from './collab-event.ts';
import { createExchangeLaw } from './exchange-law.ts';
import type { LawCheck, Violation } from './law-types.ts';

export function checkLaws(events: Iterable<CollabEvent>): readonly Violation[] {
  const checker = createLawChecker();
  const found: Violation[] = [];
  for (const event of events) found.push(...checker.see(event));
  return [...found, ...checker.end()];
}

export function createLawChecker() {
  const laws: readonly LawCheck[] = [
    createOrderLaw(),
    createToolLaw(),
    createTextLaw(),
    createAgentLaw(),
    createExchangeLaw(),
  ];
  let seen = false;
  return {
    /** Checks the next record and returns its violations. */
    see(event: CollabEvent): readonly Violation[] {
      seen = true;
      return laws.flatMap((law) => law(event));
    },
    /** Returns the violations at the end of the stream; an unfinished run may leave things open. */
    end: (): readonly Violation[] => (seen ? [] : [{ law: 'XB-1', seq: 0, message: 'there is no record' }]),
  };
}

/** XB-1: seq without a gap; `run.started` first and only once; `run.ended`, if present, last and only once. */
function createOrderLaw(): LawCheck {
  let last = 0;
  let ended = false;
  return ({ type, seq }) => {
    const messages = [
      seq === last + 1 ? null : `seq ${seq} follows ${last}`,
      last === 0 && type !== 'run.started' ? `the first record is ${type}` : null,
      last !== 0 && type === 'run.started' ? 'the run starts twice' : null,
      ended ? `${type} follows run.ended` : null,
    ];
    last = seq;
    ended ||= type === 'run.ended';
    return messages.filter((message) => message !== null).map((message) => ({ law: 'XB-1', seq, message }));
  };
}

/** XB-2: every `tool.call` has exactly one `tool.result` before the run ends. */
function createToolLaw(): LawCheck {
  const open = new Map<string, CollabEvent>();
  return (event) => {
    const broken = (message: string): Violation => ({ law: 'XB-2', seq: event.seq, message });
    if (event.type === 'tool.call') {
      const twice = open.has(event.call_id);
      open.set(event.call_id, event);
      return twice ? [broken(`the tool call ${event.call_id} is made while it is open`)] : [];
    }
    if (event.type === 'tool.result') {
      return open.delete(event.call_id) ? [] : [broken(`a result without its tool call ${event.call_id}`)];
    }
    if (event.type === 'step.abandoned') forget(open, event.step);
    if (event.type !== 'run.ended') return [];
    return [...open.keys()].map((callId) => broken(`the tool call ${callId} has no result`));
  };
}

/** XB-3: the text of `text.end` is the concatenation of its deltas. */
function createTextLaw(): LawCheck {
  const blocks = new Map<string, { readonly step: string | undefined; text: string }>();
  return (event) => {
    if (event.type === 'step.abandoned') forget(blocks, event.step);
    if (event.type !== 'text.start' && event.type !== 'text.delta' && event.type !== 'text.end') return [];
    const key = JSON.stringify([event.step, event.exchange_id, event.agent.id, event.block_id]);
    const before = blocks.get(key)?.text ?? '';
    if (event.type === 'text.start') blocks.set(key, { step: event.step, text: '' });
    if (event.type === 'text.delta') blocks.set(key, { step: event.step, text: before + event.text });
    if (event.type !== 'text.end') return [];
    blocks.delete(key);
    if (event.text === before) return [];
    const message = `the block ${event.block_id} ends with ${event.text.length} characters, its deltas hold ${before.length}`;
    return [{ law: 'XB-3', seq: event.seq, message }];
  };
}

/** XB-4: every `agent.started` has an `agent.ended`; an agent ends after the agents it started. */
function createAgentLaw(): LawCheck {
  const open = new Map<string, CollabEvent>();
  return (event) => {
    const broken = (message: string): Violation => ({ law: 'XB-4', seq: event.seq, message });
    if (event.type === 'agent.started') {
      const twice = open.has(event.agent_id);
      open.set(event.agent_id, event);
      return twice ? [broken(`the agent ${event.agent_id} starts while it is at work`)] : [];
    }
    if (event.type === 'agent.ended') {
      if (!open.delete(event.agent_id)) return [broken(`the agent ${event.agent_id} ends without a start`)];
      return childrenOf(open, event.agent_id).map((child) =>
        broken(`the agent ${event.agent_id} ends before ${child}, which it started`),
      );
    }
    if (event.type === 'step.abandoned') forget(open, event.step);
    if (event.type !== 'run.ended') return [];
    return [...open.keys()].map((agentId) => broken(`the agent ${agentId} has no end`));
  };
}

function childrenOf(open: ReadonlyMap<string, CollabEvent>, parent: string): readonly string[] {
  return [...open].filter(([, started]) => started.parent_agent_id === parent).map(([agentId]) => agentId);
}

/** Drops everything that an abandoned attempt opened, which is void. */
function forget(open: Map<string, { readonly step?: string | undefined }>, step: string): void {
  for (const [key, opened] of open) if (opened.step === step) open.delete(key);
}
