import type { Page } from 'playwright-core';
import { numbered, wholeRun, wire } from '../../src/client/scripted-server.test-helper.ts';
import type { StreamingEvent, WarningLevel } from '../../src/views/stream/event.ts';

const base = { seq: 0, timestamp: '2026-11-21T09:30:00.000000Z' };

/** The whole run with an additional event before its `done`. */
export function endingWith(last: StreamingEvent): readonly StreamingEvent[] {
  return numbered(wholeRun.toSpliced(-1, 0, last));
}

export function contextStatus(level: WarningLevel, percent: number): StreamingEvent {
  return {
    event: 'context_status',
    data: {
      ...base,
      current_context_tokens: percent,
      max_context_tokens: 100,
      usage_percent: percent,
      warning_level: level,
      can_continue: level !== 'blocked',
      message: 'it fills',
    },
  };
}

/** These texts answer every message of the page, in place of the lead. */
export async function answerWith(page: Page, events: readonly StreamingEvent[]): Promise<void> {
  await page.route('**/stream', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: Buffer.from(wire(events)) }),
  );
}
