/** After so long a silence a sign of life is printed. In a file of its own: `collab --help` loads no view for a number. */
export const heartbeatMs = 30_000;
