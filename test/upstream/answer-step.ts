/** Writes one step as the events that Codex reads (Responses API as of codex 0.169). */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { sendEndlessText } from './endless-text.ts';
import { answerJson, halves } from './messages-events.ts';
import type { AnswerStep, Step } from './steps.ts';

export async function answerStep(
  step: Step,
  index: number,
  response: ServerResponse,
  streams: boolean,
): Promise<void> {
  await step.gate;
  if ('status' in step) return answerStatus(step, response);
  if ('hang' in step && step.hang === 'headers') return;
  if ('reset' in step) return void response.destroy();
  const id = `resp_${index}`;
  if (!streams) return answerAtOnce(step, id, response);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = createSender(response);
  send('response.created', { response: { id, object: 'response', status: 'in_progress', output: [] } });
  if ('failed' in step) {
    fail(step.failed, { send, response });
    return;
  }
  await answerWhole(step, id, { send, response });
}

/** Without `stream` the answer is one piece of JSON. */
async function answerAtOnce(
  step: Exclude<Step, { status: number } | { hang: 'headers' } | { reset: true }>,
  id: string,
  response: ServerResponse,
): Promise<void> {
  if ('failed' in step)
    return answerJson(response, 200, {
      id,
      object: 'response',
      status: 'failed',
      error: step.failed,
      output: [],
    });
  await step.midway;
  if (step.hang !== undefined) return;
  if (step.cut === true || step.endEarly === true) response.destroy();
  else answerJson(response, 200, endOf(step, id, itemsOf(step, id)).response);
}

function fail(error: object, { send, response }: Output): false {
  send('response.failed', { response: { object: 'response', status: 'failed', error, output: [] } });
  response.end();
  return false;
}

type Send = (type: string, fields: object) => void;
interface Output {
  readonly send: Send;
  readonly response: ServerResponse;
}

function createSender(response: ServerResponse): Send {
  let sequence = 0;
  return (type, fields) => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...fields });
    sequence += 1;
    response.write(`event: ${type}\ndata: ${data}\n\n`);
  };
}

function answerStatus(step: Extract<Step, { status: number }>, response: ServerResponse): void {
  const { status, headers } = step;
  const body = step.body ?? {
    error: { message: `scripted ${status}`, type: 'scripted', code: null, param: null },
  };
  answerJson(response, status, body, headers);
}

async function answerWhole(step: AnswerStep, id: string, output: Output): Promise<void> {
  const items = itemsOf(step, id);
  for (const [index, item] of items.entries()) {
    output.send('response.output_item.added', { output_index: index, item: begun(item) });
    if (item.type === 'reasoning' && step.streamsReasoning === true)
      streamReasoning(step, item, index, output);
    if (item.text !== undefined && !(await streamText(step, { ...item, text: item.text, index }, output)))
      return;
    output.send('response.output_item.done', { output_index: index, item: item.whole });
  }
  const { type, response } = endOf(step, id, items);
  output.send(type, { response });
  output.response.end();
}

function endOf(step: AnswerStep, id: string, items: readonly Item[]) {
  const whole = { id, object: 'response', output: items.map((item) => item.whole), usage: usageOf(step) };
  if (step.incomplete === undefined)
    return { type: 'response.completed', response: { ...whole, status: 'completed' } };
  const incomplete_details = { reason: step.incomplete };
  return { type: 'response.incomplete', response: { ...whole, status: 'incomplete', incomplete_details } };
}

interface Item {
  readonly type: string;
  readonly id: string;
  /** The finished item. */
  readonly whole: object;
  /** The text of a message: streamed in two deltas. */
  readonly text?: string;
}

function itemsOf(step: AnswerStep, id: string): readonly Item[] {
  const items: Item[] = [];
  const add = (type: string, fields: object, text?: string): void => {
    const whole = { type, id: `${type}_${id}_${items.length}`, ...fields };
    items.push({ type, id: whole.id, whole, ...(text !== undefined && { text }) });
  };
  if (step.reasoning !== undefined) {
    const summary = [{ type: 'summary_text', text: step.reasoning }];
    add('reasoning', { summary, encrypted_content: 'opaque' });
  }
  if (step.text !== undefined) {
    const content = [{ type: 'output_text', text: step.text, annotations: [] }];
    const phase = step.phase === undefined ? {} : { phase: step.phase };
    add('message', { role: 'assistant', status: 'completed', content, ...phase }, step.text);
  }
  for (const { name, arguments: args, id: given } of step.calls ?? []) {
    const call_id = given ?? `call_${id}_${items.length}`;
    add('function_call', { call_id, name, arguments: JSON.stringify(args), status: 'completed' });
  }
  for (const { name, input } of step.custom ?? []) {
    add('custom_tool_call', { call_id: `call_${id}_${items.length}`, name, input, status: 'completed' });
  }
  for (const item of step.items ?? []) add('message', item);
  return items;
}

/** The announced item, before its first delta. */
function begun({ type, whole }: Item): object {
  const empty = { message: { content: [] }, reasoning: { summary: [] } }[type];
  return { ...whole, status: 'in_progress', ...empty };
}

function streamReasoning(
  { reasoning = '' }: AnswerStep,
  { id }: Item,
  index: number,
  { send }: Output,
): void {
  const place = { item_id: id, output_index: index, summary_index: 0 };
  for (const delta of halves(reasoning)) send('response.reasoning_summary_text.delta', { ...place, delta });
  send('response.reasoning_summary_text.done', { ...place, text: reasoning });
}

/** False when the script ends the answer in the middle of the text. */
async function streamText(
  step: AnswerStep,
  item: Item & { readonly text: string; readonly index: number },
  { send, response }: Output,
): Promise<boolean> {
  const place = { item_id: item.id, output_index: item.index, content_index: 0 };
  send('response.content_part.added', { ...place, part: { type: 'output_text', text: '' } });
  const [first, rest] = halves(item.text);
  send('response.output_text.delta', { ...place, delta: first });
  if (step.endless === true) {
    await sendEndlessText(response, (delta) => send('response.output_text.delta', { ...place, delta }));
    return false;
  }
  await step.midway;
  if (step.hang === 'stream') return false;
  if (step.failsMidway !== undefined) return fail(step.failsMidway, { send, response });
  if (step.cut === true) {
    // The half must be sent before the connection is destroyed.
    if (response.writableNeedDrain) await once(response, 'drain');
    setImmediate(() => response.destroy());
    return false;
  }
  if (step.malformed !== undefined) response.write('data: {this is not json\n\ngarbage without a colon\n\n');
  if (step.endEarly === true || step.malformed === 'fatal') {
    response.end();
    return false;
  }
  send('response.output_text.delta', { ...place, delta: rest });
  send('response.output_text.done', { ...place, text: item.text });
  return true;
}

function usageOf({ usage }: AnswerStep): object {
  return {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 10 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
    ...usage,
  };
}
