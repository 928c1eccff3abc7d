/** `collab trace` of runs in every state, and its spans at a collector that refuses, fails or accepts them. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { journalRecords, type RecordDraft } from '../../../src/events/journal-record.test-helper.ts';
import { collect } from '../../../src/observe/trace/collector.test-helper.ts';
import { scriptOf } from '../../contract/workflow/workflow-script.ts';
import { example, repository, test } from '../place.ts';
import { project } from '../run-project.ts';

const rehearsed = ['review', example('checkout.diff'), '--advisor'];

describe('collab trace', () => {
  test('a review is a tree within 80 columns, and valid spans', async ({ place, expect }) => {
    await place.collab([...rehearsed, place.rehearsal('pattern-3')]);
    const [shown, json] = await Promise.all([place.collab(['trace']), place.collab(['trace', '--json'])]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    const lines = shown.stdout.trimEnd().split('\n');
    expect(lines[1]).toMatch(/^review \S+: findings +\d+(\.\d)? s +170 +\$0\.0030$/);
    expect(shown.stdout).toMatch(/^ {4}advisor, claude-opus-4-20250514 .* 170 +\$0\.0030$/m);
    expect(shown.stdout).toMatch(/^ {6}tool Bash /m);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const spans = collect(JSON.parse(json.stdout));
    expect(spans).toHaveLength(lines.length - 1);
    expect(json.stdout).not.toMatch(/\[REQUEST:REVIEW\]|coupon/);
  });

  test('a failed review names the failure of each call', async ({ place, expect }) => {
    await place.collab([...rehearsed, place.rehearsal('unreachable')]);
    const { stdout } = await place.collab(['trace']);
    expect(stdout.match(/advisor, rehearsal: overloaded/g)).toHaveLength(4);
  });

  test('a run that waits for a person shows its question, also after it is canceled', async ({
    place,
    expect,
  }) => {
    project(place);
    place.write('scripts/pair.yaml', stringify(scriptOf()));
    const pair = ['--lead', 'rehearsal:scripts/pair.yaml', '--advisor', 'rehearsal:scripts/pair.yaml'];
    expect((await place.collab(['run', 'Build it.', ...pair])).code).toBe(10);
    const waiting = await place.collab(['trace']);
    expect(waiting.stdout).toMatch(/^run \S+: waiting /m);
    expect(waiting.stdout).toMatch(/^ {2}requirements, round 1: not over /m);
    expect(waiting.stdout).toMatch(/^ {4}question \(clarification\): no answer /m);
    await place.collab(['cancel']);
    expect((await place.collab(['trace'])).stdout).toMatch(/^run \S+: cancelled /m);
  });

  test('runs of version 0.1.0 have their trace', async ({ place, expect }) => {
    const old = join(repository, 'test/fixtures/version-0.1.0');
    for (const [kind, id] of [
      ['consult', '20261123-041410-948u'],
      ['workflow', '20261123-041410-388h'],
    ] as const) {
      cpSync(join(old, kind), join(place.folder, '.collab/runs', id), { recursive: true });
      const traced = await place.collab(['trace', id]);
      expect(traced).toMatchObject({ code: 0, stderr: '' });
      expect(traced.stdout).toMatch(
        kind === 'consult' ? /^consult \S+: /m : /^ {4}question \(clarification\): no answer/m,
      );
    }
  });

  test('an interrupted run of 20,000 records with hostile names is shown and encoded', async ({
    place,
    expect,
  }) => {
    await place.collab([...rehearsed, place.rehearsal('graded')]);
    const model = '\u001b]0;x\u0007"m\n\u202e';
    writeFileSync(join(place.lastRun(), 'journal.jsonl'), longJournal(place.lastRun(), model));
    const [shown, json] = await Promise.all([place.collab(['trace']), place.collab(['trace', '--json'])]);
    expect([shown.code, shown.stderr, json.code]).toEqual([0, '', 0]);
    // oxlint-disable-next-line no-control-regex
    expect(shown.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(shown.stdout.split('\n').filter((line) => line.includes('tool Read'))).toHaveLength(9997);
    expect(collect(JSON.parse(json.stdout))).toHaveLength(10_000);
  });

  test('a collector receives the spans once, and what it answers is reported', async ({ place, expect }) => {
    await place.collab([...rehearsed, place.rehearsal('graded')]);
    const { address, answers, received, close } = await startCollector();
    const send = async (status: number, body: string): Promise<{ code: number | null; stderr: string }> => {
      answers.push({ status, body });
      const { code, stderr, stdout } = await place.collab(['trace', '--otlp', `${address}?key=hidden-key`]);
      expect([stdout, stderr.includes('hidden-key')]).toEqual(['', false]);
      return { code, stderr };
    };
    expect(await send(200, '{"partialSuccess":{}}')).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^sent \d+ spans of \S+ to http:\/\/127\.0\.0\.1:\d+\/v1\/traces\n$/),
    });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ path: '/v1/traces?key=hidden-key', type: 'application/json' });
    expect(collect(JSON.parse(received[0]?.body ?? '')).length).toBeGreaterThan(3);
    for (const [status, body, said] of [
      [400, 'no\nsuch \u001b[31mfield', 'answered 400: no such '],
      [503, '', 'answered 503\n'],
      [307, '', 'answered 307\n'],
      [200, '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}', 'rejected 2 spans: too old'],
    ] as const) {
      const refused = await send(status, body);
      expect(refused).toEqual({ code: 4, stderr: expect.stringContaining(said) });
      expect(refused.stderr).not.toContain('\u001b');
    }
    expect(received).toHaveLength(5);
    for (const other of [
      'ftp://127.0.0.1/v1/traces',
      'traces.json',
      'http://me:secret@127.0.0.1/v1/traces',
    ]) {
      const refused = await place.collab(['trace', '--otlp', other]);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain('for example --otlp http://127.0.0.1:4318/v1/traces');
      expect(refused.stderr).not.toContain('secret');
    }
    expect(await place.collab(['trace', 'nothing'])).toMatchObject({ code: 2, stdout: '' });
    await close();
    const unreached = await place.collab(['trace', '--otlp', address]);
    expect(unreached).toMatchObject({ code: 4, stderr: expect.stringContaining('cannot be reached') });
  });
});

/** 20,000 records of an unfinished run in the folder `run`, most of them tools. */
function longJournal(run: string, model: string): string {
  const [first] = readFileSync(join(run, 'journal.jsonl'), 'utf8').split('\n');
  const { run_id, conversation_id } = JSON.parse(first ?? '');
  const step = 'review/chunk-1/turn-1';
  const begin: readonly RecordDraft[] = [
    { type: 'run.started', name: 'x', tools: [], cwd: '/' },
    { type: 'step.begun', step, attempt: 1, input_digest: 'd' },
    { type: 'turn.started', step },
  ];
  const tools = Array.from({ length: 9997 }, (_item, index): readonly RecordDraft[] => [
    {
      type: 'tool.call',
      step,
      call_id: `${index}`,
      name: 'Read',
      display_name: 'Read',
      args: {},
      summary: '',
      trigger: 'agent',
    },
    {
      type: 'tool.result',
      step,
      call_id: `${index}`,
      name: 'Read',
      content: '',
      is_error: false,
      duration_ms: 1,
    },
  ]).flat();
  const usage = {
    model,
    input: 1,
    output: 1,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cost: null,
    cost_basis: 'unknown',
  } as const;
  const drafts = [
    ...begin,
    ...tools,
    { type: 'turn.ended', step, stop_reason: null, usage } as const,
    { type: 'step.ended', step, attempt: 1, value: null } as const,
    { type: 'title', title: model } as const,
  ];
  return journalRecords(drafts, { run_id, conversation_id })
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
}

interface Received {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** Answers each request with the next of `answers`. */
async function startCollector() {
  const answers: { readonly status: number; readonly body: string }[] = [];
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    received.push({ path: request.url, type: request.headers['content-type'], body });
    const next = answers.shift() ?? { status: 500, body: '' };
    response.writeHead(next.status, { location: '/elsewhere', connection: 'close' }).end(next.body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return { address: `http://127.0.0.1:${address.port}/v1/traces`, answers, received, close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}
