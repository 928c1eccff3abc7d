// The scripted model of test/upstream in a separate process: it answers immediately or after a delay, and reports its
// requests and their times to its parent.
import { setTimeout as delay } from 'node:timers/promises';
import { startUpstream } from '../test/upstream/responses-server.ts';

const answer = process.argv[2];
const arrivals = [];
let thinksMs = 0;

const upstream = await startUpstream(() => {
  arrivals.push(Date.now());
  return thinksMs === 0 ? { text: answer } : { text: answer, gate: delay(thinksMs) };
});
process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  if (typeof message === 'object') thinksMs = message.thinksMs;
  process.send({ requests: upstream.requests.length, prompts: upstream.requests.map(promptOf), arrivals });
});
process.send({ url: upstream.url });

/** Returns the user's last text. */
function promptOf({ body }) {
  return body.input
    .at(-1)
    .content.map(({ text }) => text)
    .join('');
}
