import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryHistory } from '../../../src/providers/arbitrary-history.test-helper.ts';
import { getConversationThread } from '../../../src/providers/history/history.ts';
import { toModelMessages, withInput } from '../../../src/providers/history/history-messages.ts';
import { everyProvider } from './every-provider.ts';

test.each(everyProvider)('R003-24.2 R003-61 10,000 histories convert to what $name takes', (fixture) => {
  fc.assert(
    fc.property(arbitraryHistory(), fc.boolean(), (history, more) => {
      const thread = toModelMessages(getConversationThread(history));
      const messages =
        more || thread.length === 0 ? withInput(thread, [{ type: 'text', text: 'next' }]) : thread;
      expect(fixture.refusalOf(fixture.convert(messages))).toBeNull();
    }),
    { numRuns: 10_000 },
  );
});
