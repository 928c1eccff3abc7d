/** Without `--host`, only this machine reaches the server. */
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from '../place.ts';
import { serve } from './served.ts';

test('X002-27.1 a server without --host listens on loopback alone', async ({ place, expect }) => {
  const served = await serve(place);
  const { hostname, port } = new URL(served.url);
  expect(hostname).toBe('127.0.0.1');
  const others = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ internal, family, address }) => (internal || family !== 'IPv4' ? [] : [address])),
  );
  expect(await accepts(hostname, port)).toBe(true);
  for (const address of others) expect([address, await accepts(address, port)]).toEqual([address, false]);
});

function accepts(host: string, port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
