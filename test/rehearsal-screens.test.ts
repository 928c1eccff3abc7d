import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CollabEvent, EventBody } from '../src/events/collab-event.ts';
import { journalRecord } from '../src/events/journal-record.test-helper.ts';
import { readAnswer } from '../src/parsers/answers/read-answer.ts';
import { rehearsalProvider } from '../src/providers/rehearsal/rehearsal_client.ts';
import { createTerminalRenderer } from '../src/views/screen/terminal-renderer.ts';
import { projectToResponses } from '../src/views/screen/response-projection.test-helper.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
/** The run times in the statistics of the five screens. */
const durations = [1234, 2345, 3456, 4567, 1000];

test.each([1, 2, 3, 4, 5])(
  'the script of example screen %i gives that screen and a whole clean answer',
  async (number) => {
    const { identity, events, answer } = await play(`pattern-${number}.yaml`);
    const run = [startedBy(identity), ...events, ended(durations[number - 1] ?? 0)].map(enveloped);
    expect(screenOf(run)).toBe(readFileSync(join(fixtures, 'screens', `pattern-${number}.txt`), 'utf8'));
    expect(readAnswer(answer, '[RESPONSE:REVIEW]')).toMatchObject({ kind: 'whole', issues: [] });
  },
);

async function play(script: string) {
  const stateFolder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }));
  const signal = new AbortController().signal;
  const agent = await rehearsalProvider.open({
    env: {},
    cwd: join(fixtures, 'rehearsal'),
    settings: {},
    signal,
    runId: 'run-1',
    model: script,
    stateFolder,
    reviewFolder: null,
    limits: { firstSignMs: 1000, firstByteMs: 1000, idleMs: 1000, totalMs: 1000 },
  });
  const events: EventBody[] = [];
  const result = await agent.turn({
    request: {
      tag: '[REQUEST:REVIEW]',
      question: '',
      sections: [],
      required: [],
      optional: [],
      change: [],
      language: null,
    },
    prompt: '',
    callId: 'ex_chunk-1/1/1',
    sessionId: null,
    signal,
    emit: (event) => void events.push(event),
    bind: async () => {},
  });
  const answer = result.kind === 'answered' ? result.text : result.kind;
  return { identity: agent.identity, events, answer };
}

function startedBy({ displayName, model }: { displayName: string; model: string | null }): EventBody {
  return {
    type: 'run.started',
    name: displayName,
    ...(model === null ? {} : { model }),
    tools: [],
    cwd: '/home/user/project',
  };
}

function ended(durationMs: number): EventBody {
  return {
    type: 'run.ended',
    status: 'success',
    outcome: 'clean',
    reasons: [],
    result: null,
    errors: [],
    duration_ms: durationMs,
    turns: 1,
  };
}

function enveloped(body: EventBody, index: number): CollabEvent {
  const agent = { id: 'rehearsal', role: 'advisor', provider: 'rehearsal' } as const;
  return journalRecord(body, { seq: index + 1, agent, turn: 1 });
}

function screenOf(events: readonly CollabEvent[]): string {
  let screen = '';
  const renderer = createTerminalRenderer({
    write: (text) => {
      screen += text;
    },
    cwd: '/home/user/project',
  });
  for (const response of projectToResponses(events)) renderer.render(response);
  renderer.finish();
  return screen;
}
