import type { NextConfig } from 'next';

const collab = process.env['COLLAB_URL'] ?? 'http://127.0.0.1:8765';

/** Passes requests below /api on to `collab serve`: one origin for the browser, and an unchanged stream. */
const config: NextConfig = {
  outputFileTracingRoot: import.meta.dirname,
  rewrites: async () => [{ source: '/api/:path*', destination: `${collab}/api/:path*` }],
};

export default config;
