// Builds the page of `collab serve` into dist/web: scripts, style sheets and fonts, all named by their content.
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { extname, join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '../web');

/** @returns the ids of all bundled modules and the paths of all fonts */
export async function buildPage(outDir) {
  const output = await bundlePage(root, outDir);
  tellSizes(output);
  return output.flatMap((part) =>
    part.type === 'chunk' ? part.moduleIds : part.originalFileNames.map((name) => join(root, name)),
  );
}

/** Bundles the `index.html` of a folder. @returns the files that were written */
export async function bundlePage(from, outDir) {
  const { output } = await build({
    root: from,
    // The page loads its parts from its own folder, wherever that is.
    base: './',
    configFile: false,
    logLevel: 'warn',
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      // The content-security policy does not allow `data:`.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1024,
      rolldownOptions: { onLog: hear },
    },
  });
  compress(output, outDir);
  return output;
}

/** Ignores warnings of the components for frameworks that render on a server; a missing module must not ship. */
function hear(level, log, handle) {
  if (log.code === 'MODULE_LEVEL_DIRECTIVE' || log.code === 'PLUGIN_TIMINGS') return;
  handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
}

const compressedTypes = ['.html', '.js', '.css', '.svg'];

/** Writes a compressed form beside each text that is worth it; the server sends the one that a browser takes. */
function compress(output, outDir) {
  for (const { fileName, type, code, source } of output) {
    const content = Buffer.from(type === 'chunk' ? code : source);
    if (!compressedTypes.includes(extname(fileName)) || content.length < 1024) continue;
    writeFileSync(join(outDir, `${fileName}.br`), brotliCompressSync(content));
    writeFileSync(join(outDir, `${fileName}.gz`), gzipSync(content, { level: 9 }));
  }
}

function tellSizes(output) {
  for (const part of output) {
    const content = part.type === 'chunk' ? part.code : part.source;
    const size = Buffer.byteLength(content);
    process.stdout.write(
      `web/${part.fileName}: ${kibibytes(size)}, ${kibibytes(gzipSync(content).length)} gzipped\n`,
    );
  }
}

function kibibytes(bytes) {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
