/** What a connection may take of the server, so that one that stalls or floods holds nobody else up. */

/** Milliseconds from the first byte of a request to the last one of its body; how long an answer streams is not limited. */
const requestTimeout = 60_000;

export const connectionLimits = {
  requestTimeout,
  headersTimeout: 15_000,
  /** How often both are looked at. */
  connectionsCheckingInterval: 5000,
  /** Bytes of all headers together. */
  maxHeaderSize: 16 * 1024,
};

/** Bytes of a body that may hold a diff, or attachments. */
export const mostUploadBytes = 32 * 1024 * 1024;
