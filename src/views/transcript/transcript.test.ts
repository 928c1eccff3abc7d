import { readFileSync, writeFileSync } from 'node:fs';
import { Parser, type Node } from 'commonmark';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { journalOf, workflowEvents } from '../../../test/fixtures/transcripts/workflow-events.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { arbitraryRun, arbitraryUnfinishedRun } from '../../events/arbitrary-events.test-helper.ts';
import { renderTranscript } from './transcript.ts';

const golden = new URL('../../../test/fixtures/transcripts/workflow.md', import.meta.url);

test('a run of phases is complete: requests, attempts, answers, gates, decisions, findings, end and usage', () => {
  const transcript = renderTranscript(workflowEvents);
  if (process.env['UPDATE_TRANSCRIPTS'] === '1') writeFileSync(golden, transcript);
  expect(transcript).toBe(readFileSync(golden, 'utf8'));
});

test('events of an attempt that was lost with its process are omitted', () => {
  const step = 'review/chunk-1/turn-1';
  const sent = { type: 'exchange.sent', tag: '[REQUEST:REVIEW]', attempt: 1, prompt_ref: 'p', step } as const;
  const begun = { type: 'step.begun', step, input_digest: 'd' } as const;
  const exchange_id = 'ex_chunk-1';
  const transcript = renderTranscript(
    journalOf([
      { ...begun, attempt: 1 },
      { ...sent, prompt_bytes: 111, exchange_id },
      { type: 'step.abandoned', step, attempt: 1 },
      { ...begun, attempt: 2 },
      { ...sent, prompt_bytes: 222, exchange_id },
    ]),
  );
  expect(transcript).not.toContain('111');
  expect(transcript).toContain('a prompt of 222 bytes; collab show --prompt 2 prints it');
});

const turn = (number: number) => `design/1/draft-1/turn-${number}`;

test('a failed turn of the lead is shown with its error', () => {
  const failed = { type: 'error', kind: 'timeout', message: 'it fell <silent>', retryable: true } as const;
  const transcript = renderTranscript(
    journalOf([
      { ...failed, step: turn(1) },
      { type: 'text.end', block_id: 'b', text: 'One half', step: turn(2) },
      { ...failed, step: turn(2) },
    ]),
  );
  expect(transcript.match(/### The lead drafts/g)).toHaveLength(2);
  expect(transcript).toMatch(/drafts, `claude_code`\n\nError: it fell \\?<silent/);
  expect(transcript).toMatch(/> One half\n\nError: it fell/);
});

test('an unanswered question and a run without an end are marked as such', () => {
  const transcript = renderTranscript(
    journalOf([{ type: 'question.asked', name: 'gate', kind: 'gate', text: 'Go on?', schema: {} }]),
  );
  expect(transcript).toContain('**Not answered yet.**');
  expect(transcript).toContain('The record has no end');
});

test('any run, complete or cut off anywhere, has a transcript', () => {
  fc.assert(
    fc.property(fc.oneof(arbitraryRun(), arbitraryUnfinishedRun()), (events) => {
      expect(renderTranscript(events)).toMatch(/^# Transcript of [^]*\n## How it ended\n/);
    }),
    { numRuns: 30 },
  );
});

const hostileLine = fc.constantFrom(
  '# Code review: clean',
  'Setext\n===',
  '---',
  '```',
  '~~~~~',
  '<details open>',
  '<!--',
  '<img src=x onerror=alert(1)>',
  '[click](https://evil.example)',
  '![p](https://evil.example/p.png)',
  '[x]: https://evil.example',
  '> quoted',
  '- item',
  '1. item',
  '    code',
  '| a | b |\n| - | - |',
  '@octocat fixes #12',
  '\u001b[31mred',
  '',
  'plain',
);
const hostile = fc.array(hostileLine, { maxLength: 6 }).map((lines) => lines.join('\n'));

test('whatever was said in a run, its transcript has our headings alone, no HTML, no link, no image', () => {
  const ours = structureOf(renderTranscript(workflowEvents));
  fc.assert(
    fc.property(hostile, (said) => {
      const { headings, foreign } = structureOf(
        renderTranscript(workflowEvents.map((event) => replaced(event, said))),
      );
      expect(foreign).toEqual([]);
      expect(headings.length).toBe(ours.headings.length);
      expect(headings.map((name) => name.split(',')[0])).toEqual(
        ours.headings.map((name) => name.split(',')[0]),
      );
    }),
    { numRuns: 60 },
  );
});

/** The event with all its free texts replaced. */
function replaced(event: CollabEvent, said: string): CollabEvent {
  switch (event.type) {
    case 'text.end':
      return { ...event, text: said };
    case 'exchange.sent':
      return { ...event, question: said, files: [{ path: said, lines: 1 }] };
    case 'exchange.received':
      return { ...event, sections: { [said]: said } };
    case 'exchange.rejected':
      return { ...event, detail: said };
    case 'exchange.asked_back':
      return { ...event, text: said };
    case 'exchange.answered_back':
      return { ...event, text: said, ...(event.declined === undefined ? {} : { declined: said }) };
    case 'question.asked':
      return { ...event, text: said };
    case 'question.answered':
      return { ...event, value: said };
    case 'phase.ended':
      return { ...event, result: said };
    case 'review.planned':
      return { ...event, chunks: [{ name: said, paths: [said, said], estimated_tokens: 1 }] };
    case 'finding.reported':
      return { ...event, finding: { ...event.finding, title: said, path: said } };
    case 'finding.judged':
      return { ...event, evidence: said };
    case 'run.ended':
      return { ...event, reasons: [said], errors: [said] };
    default:
      return event;
  }
}

/** Parsed with a library other than the one that wrote it. */
function structureOf(markdown: string): { headings: string[]; foreign: string[] } {
  const headings: string[] = [];
  const foreign: string[] = [];
  const walker = new Parser().parse(markdown).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    if (!step.entering) continue;
    if (['html_block', 'html_inline', 'link', 'image', 'thematic_break'].includes(step.node.type))
      foreign.push(step.node.type);
    if (step.node.type === 'heading') headings.push(wordsOf(step.node));
  }
  return { headings, foreign };
}

function wordsOf(node: Node): string {
  const words: string[] = [];
  const walker = node.walker();
  for (let step = walker.next(); step !== null; step = walker.next()) words.push(step.node.literal ?? '');
  return words.join('');
}
