/** The limits of a connection, so that one that stalls or floods does not hold up the others. */

/**
 * Milliseconds from the first byte of a request to the last byte of its body; the length of a streamed answer is not limited.
 */
const requestTimeout = 60_000;

export const connectionLimits = {
  requestTimeout,
  headersTimeout: 15_000,
  /** Milliseconds between checks of both timeouts. */
  connectionsCheckingInterval: 5000,
  /** Bytes of all headers together. */
  maxHeaderSize: 16 * 1024,
};

/** Bytes of a body that may hold a diff or attachments. */
export const mostUploadBytes = 32 * 1024 * 1024;
