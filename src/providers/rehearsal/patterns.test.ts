import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { rehearsalProvider } from './rehearsal_client.ts';

const scripts = resolve(import.meta.dirname, '../../../test/fixtures/rehearsal');

test.each([
  [1, ["I'll execute the echo hello command for you.", 'Bash echo hello: 1 line']],
  [
    2,
    [
      "I'll read the README.md file and explain its contents.",
      'Read README.md: 50 lines',
      'The README.md file contains:\n- Project overview for xonai\n- Installation instructions using pip\n- Usage examples with xontrib load\n- Features list including AI integration',
    ],
  ],
  [
    3,
    [
      "I'll check the current directory status.",
      'Bash pwd: 1 line',
      'Bash ls -la: 15 lines',
      'Bash git status: 8 lines',
      "You're in /home/user/project with:\n- 10 Python files\n- Clean git working tree\n- Virtual environment active",
    ],
  ],
  [
    4,
    [
      'I\'ll search for files containing "config".',
      'Grep config: 3 lines',
      'Read settings.py: 120 lines',
      'Found configuration files:\n- settings.py - Application configuration\n- config.json - JSON configuration file  \n- tests/test_config.py - Configuration tests',
    ],
  ],
  [
    5,
    [
      "I'll try to read that file.",
      'Read nonexistent.txt: refused',
      'I couldn\'t find the file "nonexistent.txt". The file doesn\'t exist in the current directory.',
    ],
  ],
])(
  'the script of example screen %i says what the screen shows and nothing else',
  async (number, expected) => {
    expect((await play(`pattern-${number}.yaml`)).flatMap(shown)).toEqual(expected);
  },
);

async function play(script: string): Promise<readonly EventBody[]> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }));
  const signal = new AbortController().signal;
  const agent = await rehearsalProvider.open({
    env: {},
    cwd: scripts,
    settings: {},
    signal,
    runId: 'run-1',
    model: script,
    stateFolder,
    reviewFolder: null,
    limits: { firstSignMs: 1000, idleMs: 1000, totalMs: 1000 },
  });
  const events: EventBody[] = [];
  await agent.turn({
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
    callId: 'ex_1/1/1',
    sessionId: null,
    signal,
    emit: (event) => void events.push(event),
    bind: async () => {},
  });
  return events;
}

function shown(event: EventBody, _index: number, events: readonly EventBody[]): readonly string[] {
  if (event.type === 'text.end') return [event.text];
  if (event.type !== 'tool.call') return [];
  const result = events.find((later) => later.type === 'tool.result' && later.call_id === event.call_id);
  return [`${event.name} ${event.summary}: ${resultOf(result)}`];
}

function resultOf(result: EventBody | undefined): string {
  if (result?.type !== 'tool.result') return 'none';
  const count = result.content.split('\n').length;
  return result.is_error ? 'refused' : `${count} ${count === 1 ? 'line' : 'lines'}`;
}
