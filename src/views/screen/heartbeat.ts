/** Prints a sign of life after this much silence. In a file of its own: `collab --help` loads no view for a number. */
export const heartbeatMs = 30_000;
