import { serveStream, type StreamServer } from '../event-readers.test-helper.ts';

export const open: StreamServer[] = [];

export async function serve(): Promise<StreamServer> {
  const server = await serveStream();
  open.push(server);
  return server;
}

export function idsUpTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `run-1:${index + 1}`);
}
