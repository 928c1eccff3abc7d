// The journal of a long task, as events: phases, exchanges with repairs, texts in pieces, thinking and tool calls.
const lead = { id: 'lead', role: 'lead', provider: 'claude_code' };
const advisor = { id: 'advisor', role: 'advisor', provider: 'codex', model: 'gpt-5-codex' };
const sentence = 'The total is rounded **before** tax, so `subtotal` loses a cent here and there. ';

/** Returns at least `count` events, the last one `run.ended`. */
export function longRun(count) {
  const events = [];
  const add = (agent, body, place = {}) => {
    const ts = `${new Date(Date.UTC(2026, 10, 21, 9) + events.length * 20).toISOString().slice(0, -1)}000Z`;
    const envelope = {
      v: 1,
      run_id: 'r',
      seq: events.length + 1,
      ts,
      conversation_id: 'c',
      tenant_id: 'local',
      turn: 1,
    };
    events.push({ ...envelope, agent, ...place, ...body });
  };

  function speak(agent, block_id, pieces, place) {
    add(agent, { type: 'text.start', block_id, follow_up: false }, place);
    for (let piece = 0; piece < pieces; piece += 1)
      add(agent, { type: 'text.delta', block_id, text: sentence }, place);
    add(agent, { type: 'text.end', block_id, text: sentence.repeat(pieces) }, place);
  }

  function consult(number) {
    const place = { exchange_id: `ex-${number}`, step: `consult-${number}` };
    const sent = {
      type: 'exchange.sent',
      tag: '[CONSULT:IMPLEMENTATION]',
      prompt_bytes: 4000,
      prompt_ref: `p${number}`,
    };
    add(advisor, { ...sent, attempt: 1, question: sentence }, place);
    speak(advisor, `a-${number}`, 12, place);
    add(
      advisor,
      { type: 'exchange.rejected', reason: 'incomplete', detail: 'missing: RISKS', action: 'completing' },
      place,
    );
    add(advisor, { ...sent, attempt: 2 }, place);
    speak(advisor, `b-${number}`, 4, place);
    const sections = { ADVICE: sentence.repeat(3), RISKS: sentence };
    add(
      advisor,
      { type: 'exchange.received', tag: '[RESPONSE:IMPLEMENTATION]', sections, merged_from: [1, 2] },
      place,
    );
    add(advisor, { type: 'exchange.ended', outcome: 'settled', attempts: 2 }, place);
  }

  function work(number) {
    const place = { step: `implement-${number}` };
    add(lead, { type: 'turn.started' }, place);
    add(lead, { type: 'thinking.delta', block_id: `t-${number}`, text: sentence }, place);
    add(lead, { type: 'thinking.end', block_id: `t-${number}` }, place);
    const call_id = `c-${number}`;
    const call = {
      type: 'tool.call',
      call_id,
      name: 'Read',
      display_name: 'Read',
      args: { file_path: 'src/a.ts' },
      summary: 'src/a.ts',
    };
    add(lead, { ...call, trigger: 'agent' }, place);
    add(lead, { type: 'tool.status', call_id, status: 'running', message: '' }, place);
    add(
      lead,
      {
        type: 'tool.result',
        call_id,
        name: 'Read',
        content: sentence.repeat(20),
        is_error: false,
        duration_ms: 3,
      },
      place,
    );
    speak(lead, `w-${number}`, 20, place);
    const tokens = { input: 900, output: 120, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0 };
    add(lead, { type: 'usage', model: 'opus', ...tokens, cost: 0.01, cost_basis: 'reported' }, place);
    add(lead, { type: 'turn.ended', stop_reason: 'end_turn', usage: null }, place);
  }

  add(lead, { type: 'run.started', name: 'Claude Code', tools: [], cwd: '/project' });
  add(lead, { type: 'phase.started', phase: 'implementation', round: 1 });
  for (let number = 1; events.length < count - 1; number += 1) {
    work(number);
    if (number % 5 === 0) consult(number);
  }
  const end = {
    status: 'success',
    outcome: 'clean',
    reasons: ['no_findings: every exchange settled'],
    result: null,
  };
  add(lead, { type: 'run.ended', ...end, errors: [], duration_ms: 1, turns: 1 });
  return events;
}
