/**
 * Ctrl-C at any moment: the run is left, not ended, and `collab resume` leads to the same result as without the
 * interruption.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe } from 'vitest';
import { z } from 'zod';
import { example, test, type Place } from '../place.ts';
import { callLog, callsOf } from '../rehearsal-calls.ts';
import { until, type StartedCommand } from '../started-command.ts';

interface Moment {
  /** Slow, so that the run cannot end before the signal, however long the test waits for the processor. */
  readonly script: string;
  /** The resumed run gets all answers immediately; the default is the same script, which expects a cut call. */
  readonly quick?: true;
  readonly signal: 'SIGINT' | 'SIGTERM';
  readonly to: 'kill' | 'killGroup';
  readonly seen: (place: Place, started: StartedCommand) => boolean;
}

const moments: Readonly<Record<string, Moment>> = {
  'before the first call': {
    script: 'four-chunks-slow',
    quick: true,
    signal: 'SIGINT',
    to: 'kill',
    seen: (place) => place.runs().some((run) => existsSync(join(run, 'input.json'))),
  },
  'when one answer has come': {
    script: 'four-chunks-slow',
    quick: true,
    signal: 'SIGINT',
    to: 'killGroup',
    seen: (place) => callsOf(place).includes('end ex_chunk-1/1/1'),
  },
  'in a call': {
    script: 'four-chunks-slow',
    signal: 'SIGINT',
    to: 'killGroup',
    seen: (place) => callsOf(place).includes('begin ex_chunk-3/1/1'),
  },
  'in a call, by SIGTERM': {
    script: 'four-chunks-slow',
    signal: 'SIGTERM',
    to: 'kill',
    seen: (place) => callsOf(place).includes('begin ex_chunk-3/1/1'),
  },
  'while it waits for an overloaded agent': {
    script: 'four-chunks-overloaded',
    quick: true,
    signal: 'SIGINT',
    to: 'kill',
    seen: (_place, { stderr }) => stderr().includes('waiting before another attempt: too many requests'),
  },
};

describe.concurrent('interrupted', () => {
  test.for(Object.entries(moments))('%s', { timeout: 180_000 }, async ([, moment], { place, expect }) => {
    settings(place);
    const wanted = await (undisturbed ??= resultWithout(place));
    const started = place.start(review(place.rehearsal(moment.script)));
    await until('the moment', () => moment.seen(place, started));
    started[moment.to](moment.signal);
    const interrupted = await started.ended;
    const run = place.lastRun();
    const runId = basename(run);
    expect(interrupted).toEqual({
      code: moment.signal === 'SIGINT' ? 130 : 143,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`interrupted; continue it: collab resume ${runId}\n$`)),
    });
    expect(recordsOf(run)).not.toContain('run.ended');

    if (moment.quick) answerAtOnce(place, moment.script);
    const resumed = await place.collab(['resume', runId]);
    expect(resumed.code).toBe(1);
    expect(resultIn(place, 'result.json')).toEqual(wanted);
    expect(recordsOf(run).at(-1)).toBe('run.ended');
    expect(finishedTwice(callsOf(place))).toEqual([]);
    const checked = await place.collab(['check', runId]);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining(', 0 violations\n') });
  });

  test('while it reads standard input, before there is a run', async ({ place, expect }) => {
    const started = place.start(['review', '-', '--advisor', 'static_review'], { input: null });
    await started.feed('x'.repeat(4 * 2 ** 20));
    started.kill('SIGINT');
    expect(await started.ended).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(place.names()).toEqual([]);
  });
});

let undisturbed: Promise<Compared> | null = null;

/** The result of the same review without an interruption; made once. */
async function resultWithout(place: Place): Promise<Compared> {
  const args = review(place.rehearsal('four-chunks'), 'undisturbed.json');
  await place.collab(args, { env: { COLLAB_HOME: 'undisturbed' } });
  rmSync(callLog(place));
  return resultIn(place, 'undisturbed.json');
}

function settings(place: Place): void {
  place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\nwaits: [2s]\n');
}

/** Replaces a slow script for the resumed run. */
function answerAtOnce(place: Place, script: string): void {
  place.write(`rehearsal/${script}.yaml`, place.read('rehearsal/four-chunks.yaml'));
}

function review(advisor: string, report = 'result.json'): readonly string[] {
  return ['review', example('checkout.diff'), '--advisor', advisor, '--report', `json=${report}`];
}

const resultSchema = z.object({
  outcome: z.string(),
  exit_code: z.int(),
  reasons: z.array(z.string()),
  assurance: z.string(),
  strengths: z.array(z.string()),
  findings: z.array(z.looseObject({ identity: z.string(), path: z.string(), start_line: z.int() })),
  suggestions: z.array(z.string()),
  coverage: z.object({
    lines_reviewed: z.int(),
    files: z.array(z.object({ path: z.string(), status: z.string() })),
  }),
});
type Compared = z.infer<typeof resultSchema>;

function resultIn(place: Place, report: string): Compared {
  return resultSchema.parse(JSON.parse(place.read(report)));
}

const recordSchema = z.object({ type: z.string() });

/** Types of the records of a run; none before its first. */
function recordsOf(run: string): readonly string[] {
  const journal = join(run, 'journal.jsonl');
  if (!existsSync(journal)) return [];
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => recordSchema.parse(JSON.parse(line)).type);
}

/** Turns that were begun again after they had ended. */
function finishedTwice(calls: readonly string[]): readonly string[] {
  const ended = new Set<string>();
  return calls.filter((line) => {
    const [what = '', call = ''] = line.split(' ');
    const turn = call.slice(0, call.lastIndexOf('/'));
    if (what === 'end') ended.add(turn);
    return what === 'begin' && ended.has(turn);
  });
}
