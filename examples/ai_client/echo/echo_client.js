// A whole provider: one method, two static names. `collab provider check examples/ai_client/echo` runs the checklist over it.
//
// Its API: POST <ECHO_API_BASE>/v1/echo with {model, system, temperature, tools, messages}; the answer is a line of JSON
// for each piece: {"text": …}, {"call": {id, name, args}}, and at the end {"done": true, "usage": {input_tokens, output_tokens}}.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  AiClient,
  APIError,
  codeOfStatus,
  decodeToolName,
  encodeToolName,
  getConversationThread,
  toModelMessages,
  withInput,
} from 'codex-collab/providers';

export class EchoClient extends AiClient {
  static getProviderName() {
    return 'echo';
  }

  static getProfileDir() {
    return join(dirname(fileURLToPath(import.meta.url)), 'ai_profile');
  }

  async *sendRequestStream(options) {
    const signal = this.signalOf(options);
    const isFollowUp = options.currentTextInput === '';
    let text = '';
    try {
      const response = await this.#post(options, signal);
      for await (const piece of piecesOf(response)) {
        if (piece.text !== undefined) {
          text += piece.text;
          yield { type: 'text_chunk', text: piece.text, is_follow_up: isFollowUp };
        } else if (piece.call !== undefined) {
          const name = decodeToolName(piece.call.name);
          const { id, args } = piece.call;
          yield { type: 'function_call_start', function_name: name, tool_name: name, args, tool_call_id: id };
        } else if (piece.done === true) {
          yield { type: 'complete', text, usage: piece.usage, model: options.modelId };
          return;
        }
      }
      throw new APIError('the answer broke off', { code: 'network' });
    } catch (error) {
      if (!signal.aborted) throw error;
      yield { type: 'aborted', text, reason: 'user_abort' };
    }
  }

  async #post(options, signal) {
    const { modelId, history, currentTextInput, systemPrompt, tools = [] } = options;
    const input = currentTextInput === '' ? [] : [{ type: 'text', text: currentTextInput }];
    const response = await fetch(`${this.apiBase ?? 'http://127.0.0.1:8089'}/v1/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.apiKey}` },
      body: JSON.stringify({
        model: modelId,
        system: systemPrompt,
        temperature: this.parametersOf(options).temperature,
        tools: tools.map((tool) => ({ ...tool, name: encodeToolName(tool.name) })),
        messages: withInput(toModelMessages(getConversationThread(history), { model: modelId }), input),
      }),
      signal,
    });
    if (response.ok && response.body !== null) return response;
    const { status } = response;
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new APIError(`the server answered ${status}: ${await response.text()}`, {
      code: codeOfStatus(status),
      status,
      ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    });
  }
}

async function* piecesOf(response) {
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield parse(line);
  }
  if (rest !== '') yield parse(rest);
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    throw new APIError(`the server said no JSON: ${line.slice(0, 80)}`, { code: 'protocol' });
  }
}
