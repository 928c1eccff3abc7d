import { expect, test } from 'vitest';
import { createManualClock } from '../system/manual-clock.test-helper.ts';
import { createServiceLog, type ServiceEntry } from './service-log.ts';

const entry: ServiceEntry = {
  event: 'fault',
  level: 'error',
  run: 'r1',
  message: 'no \u001b[31mroom for sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789',
  hint: 'make room',
};

function written(format: 'text' | 'json', log: 'say' | 'record'): string {
  let text = '';
  const session = { err: (piece: string) => void (text += piece), clock: createManualClock() };
  createServiceLog(session, format, { always: { worker: 3 }, prefix: 'worker 3: ' })[log](entry);
  return text;
}

test('text is the message after its prefix, and the remedy on a line of its own', () => {
  expect(written('text', 'say')).toMatch(/^worker 3: no .*room for .*\n {2}make room\n$/);
  for (const hidden of ['\u001b', 'abcdefghijklmnop']) expect(written('text', 'say')).not.toContain(hidden);
  expect(written('text', 'record')).toBe('');
});

test('JSON is one line of fields, masked and without control characters', () => {
  for (const log of ['say', 'record'] as const) {
    const line = written('json', log);
    expect(line.split('\n')).toHaveLength(2);
    expect(line).not.toContain('\u001b');
    expect(JSON.parse(line)).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'error',
      event: 'fault',
      worker: 3,
      run: 'r1',
      message: expect.stringMatching(/^no .*room for \S*\[?[^a-z]/),
      hint: 'make room',
    });
    expect(line).not.toContain('abcdefghijklmnop');
  }
});
