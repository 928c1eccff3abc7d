import { wholeRun } from '../../src/client/scripted-server.test-helper.ts';
import type { StreamingEvent, WarningLevel } from '../../src/wire/streaming-event.ts';

const base = { seq: 0, timestamp: '2026-11-21T09:30:00.000000Z' };

/** The whole run with one event more before its `done`. */
export function endingWith(last: StreamingEvent): readonly StreamingEvent[] {
  return wholeRun.toSpliced(-1, 0, last).map((event, index) => renumbered(event, index + 1));
}

function renumbered(event: StreamingEvent, seq: number): StreamingEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...event, data: { ...event.data, seq } } as StreamingEvent;
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
