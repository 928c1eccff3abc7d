import type { NextConfig } from 'next';

const collab = process.env['COLLAB_URL'] ?? 'http://127.0.0.1:8765';

/** What the page asks below /api goes to `collab serve`: one origin for the browser, and the stream comes through as it is. */
const config: NextConfig = {
  outputFileTracingRoot: import.meta.dirname,
  rewrites: async () => [{ source: '/api/:path*', destination: `${collab}/api/:path*` }],
};

export default config;
