/** A reader's attachments reach the model: the real SDK over a scripted upstream. */
import { onTestFinished } from 'vitest';
import { formOf } from '../../../src/server/served.test-helper.ts';
import { listOf } from '../../upstream/body-parts.ts';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { fieldOf } from '../../upstream/scripted-server.ts';
import { test } from '../place.ts';
import { serve, streamOf } from './served.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('X002-25.1 a text and a picture that come with a message are sent to the model, in later turns too', async ({
  place,
  expect,
}) => {
  const upstream = await startMessagesUpstream(messagesInOrder({ text: 'Seen.' }, { text: 'Still there.' }));
  onTestFinished(() => upstream.close());
  place.write('collab.config.yaml', `providers:\n  anthropic: { base_url: "${upstream.url}" }\n`);
  const lead = ['--lead', 'anthropic:claude-scripted', '--config', 'collab.config.yaml'];
  const served = await serve(place, lead, { ANTHROPIC_API_KEY: 'sk-scripted' });
  const say = async (text: string, files: readonly File[] = []) => {
    const body = formOf(text);
    for (const file of files) body.append('files', file);
    return (await fetch(streamOf(served, 'first'), { method: 'POST', body })).text();
  };
  const table = new File(['a,b\n1,2\n'], 'table.csv', { type: 'text/csv' });
  const picture = new File([pixel], 'pixel.png', { type: 'image/png' });
  expect(await say('Look at these.', [table, picture])).toContain('Seen.');
  expect(await say('And now?')).toContain('Still there.');
  for (const { body } of upstream.requests.slice(-2)) {
    expect(fieldOf(listOf(fieldOf(body, 'messages'))[0], 'content')).toMatchObject([
      {
        type: 'text',
        text: expect.stringMatching(/^```text data-(\w{16})\ntable\.csv:\na,b\n1,2\n```\nEnd of data-\1\.$/),
      },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel.toString('base64') } },
      { type: 'text', text: 'Look at these.' },
    ]);
  }
});
