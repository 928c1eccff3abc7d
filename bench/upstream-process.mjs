// The scripted model of test/upstream in a process of its own: it answers at once, and tells its parent what it was asked.
import { inOrder } from '../test/upstream/steps.ts';
import { startUpstream } from '../test/upstream/responses-server.ts';

const upstream = await startUpstream(inOrder({ text: process.argv[2] }));
process.on('disconnect', () => process.exit());
process.on('message', () => {
  process.send({ requests: upstream.requests.length, prompts: upstream.requests.map(promptOf) });
});
process.send({ url: upstream.url });

/** What the user said last. */
function promptOf({ body }) {
  return body.input
    .at(-1)
    .content.map(({ text }) => text)
    .join('');
}
