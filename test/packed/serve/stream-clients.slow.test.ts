/** Clients that others have written, over a server that is killed and started again. */
import { EventSource as NodeEventSource } from 'eventsource';
import { describe } from 'vitest';
import { EventSource as UndiciEventSource } from 'undici';
import { longRun } from '../../../src/server/long-run.test-helper.ts';
import { test } from '../place.ts';
import { beginWrittenRun, serve, streamOf } from './served.ts';
import { until } from '../started-command.ts';

const run = longRun(200);
/** Without `error`: an EventSource also emits it when it is cut. */
const names = ['init', 'progress', 'assistant', 'done'];

/** The part of the standard's interface that both offer. */
interface Client {
  readonly readyState: number;
  addEventListener(name: string, listener: (event: { readonly lastEventId: string }) => void): void;
  close(): void;
}

const clients: Readonly<Record<string, (url: string) => Client>> = {
  eventsource: (url) => new NodeEventSource(url),
  undici: (url) => new UndiciEventSource(url),
};

describe.concurrent('an EventSource', () => {
  test.for(Object.entries(clients))(
    'X002-12.6 of %s resumes where it was cut, sees each event once, and stops when there are no more',
    async ([, create], { place, expect }) => {
      const served = await serve(place);
      const { write } = beginWrittenRun(place, 'c', 'run-1');
      write(run.slice(0, 100));
      const client = create(streamOf(served, 'c'));
      const ids: string[] = [];
      for (const name of names) client.addEventListener(name, ({ lastEventId }) => ids.push(lastEventId));
      try {
        await until('the first half', () => ids.length > 95);
        await served.kill();
        write(run.slice(100));
        await served.start();
        await until('the end', () => client.readyState === 2);
      } finally {
        client.close();
      }
      expect(ids.length).toBeGreaterThan(200);
      expect(ids).toEqual(ids.map((_, index) => `run-1:${index + 1}`));
    },
  );
});
