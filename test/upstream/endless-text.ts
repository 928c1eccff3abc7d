import { setTimeout as delay } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';

/** Sends pieces of 8 KiB, up to 100 a second, until the reader closes the connection. */
export async function sendEndlessText(response: ServerResponse, send: (text: string) => void): Promise<void> {
  while (!response.closed) {
    send('It never ends. '.repeat(546));
    await delay(10);
  }
}
