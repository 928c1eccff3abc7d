/** Refuses what Node cannot read as a request or finds late, but not a request that only waited for a busy server. */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Node looks at the clock before it reads. After a turn of the event loop that was longer than the limits it would refuse
 * requests whose bytes had long arrived, so a late connection is looked at again after the next read.
 */
export function refuseLateRequests(server: Server, requestTimeout: number): void {
  const newest = new WeakMap<Duplex, Exchange>();
  server.on('request', (request, response) => newest.set(request.socket, { request, response }));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') lookAgain(socket);
    else refuse(socket, statuses[error.code ?? ''] ?? 400);
  });

  function lookAgain(socket: Duplex): void {
    const before = newest.get(socket)?.request;
    const wasWhole = before?.complete === true;
    setImmediate(() => {
      const now = newest.get(socket)?.request;
      if (now === undefined || (now === before && (wasWhole || !now.complete))) refuse(socket, 408);
      // Node does not report a connection again whose headers had begun before.
      else if (!now.complete) setTimeout(() => now.complete || refuse(socket, 408), requestTimeout).unref();
    });
  }

  function refuse(socket: Duplex, status: number): void {
    const response = newest.get(socket)?.response;
    const isAnswering = response !== undefined && response.headersSent && !response.writableEnded;
    if (socket.writable && !isAnswering) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    }
    socket.destroy();
  }
}

/** Those of Node itself; any other error is a 400. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};
