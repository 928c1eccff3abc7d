/** Many conversations at once, each with a run of its own. */
import { describe } from 'vitest';
import { assertLawful } from '../../../src/views/stream/laws.test-helper.ts';
import { test } from '../place.ts';
import { say, serve, streamOf } from './served.ts';
import { readStream } from './stream-reader.ts';

const conversations = 500;
/** init, progress, text, two calls of five events each, text, context, done */
const eventsOfOne = 16;

describe('500 conversations', () => {
  test(
    'R002-4 R002-37 go on at the same time: nothing is lost, nothing is out of order, all adds up',
    { timeout: 300_000 },
    async ({ place, expect }) => {
      place.write('script.yaml', script);
      const served = await serve(place, ['--lead', 'rehearsal:script.yaml']);
      const names = Array.from({ length: conversations }, (_, index) => `conversation-${index}`);
      await Promise.all(names.map((name) => say(served, name, 'hello')));
      const readers = names.map((name) => readStream(streamOf(served, name), { records: true }));
      const digests = await Promise.all(readers.map((reader) => reader.whole));
      expect(new Set(digests).size).toBe(conversations);
      for (const { events } of readers) assertLawful(events());
      expect(new Set(readers.map(({ count }) => count()))).toEqual(new Set([eventsOfOne]));
      expect(served.stderr()).toBe('');
    },
  );
});

const script = `
turns:
  - when: { role: lead }
    repeat: forever
    delay_ms: 1000
    messages:
      - text: I look at the files.
      - tool: { name: Read, input: { file_path: a.ts }, output_lines: 3 }
      - tool: { name: Read, input: { file_path: b.ts }, output_lines: 3 }
    delta_size: 20
    answer: There are two files, and both are fine as they are.
`;
