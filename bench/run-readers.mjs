// Readers of a run's stream that check the numbers of the events, for bench/workers.mjs.
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A server's queue of new connections is short. */
const atOnce = 50;
const pauseMs = 20;

/**
 * Connects all readers, spread over the addresses. `ended` resolves when each has read the last event: with the number of events
 * of a reader, of those that were lost or came twice in all, and the time between the first reader's end and the last one's.
 */
export async function openReaders(urls, count) {
  const reading = [];
  let refused = 0;
  for (let next = 0; next < count; next += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - next) }, (_, index) => next + index);
    const responses = await Promise.all(numbers.map((number) => connect(urls[number % urls.length])));
    reading.push(...responses.map(readAll));
    await delay(pauseMs);
  }
  return { refused, ended: Promise.all(reading).then(inSum) };

  async function connect(url) {
    for (;;) {
      try {
        const [response] = await once(get(url, { agent: false }), 'response');
        if (response.statusCode === 200) return response;
        response.destroy();
      } catch {
        // The connection was reset.
      }
      refused += 1;
      await delay(pauseMs);
    }
  }
}

function inSum(readers) {
  const ends = readers.map(({ endedAt }) => endedAt);
  return {
    events: Math.max(...readers.map(({ events }) => events)),
    losses: readers.reduce((sum, { losses }) => sum + losses, 0),
    spreadMs: Math.max(...ends) - Math.min(...ends),
  };
}

async function readAll(response) {
  let [events, losses, rest] = [0, 0, ''];
  for await (const chunk of response) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const [, number] = /^id: \S*:(\d+)$/.exec(line) ?? [];
      if (number === undefined) continue;
      if (Number(number) !== events + 1) losses += 1;
      events = Number(number);
    }
  }
  return { events, losses, endedAt: performance.now() };
}
