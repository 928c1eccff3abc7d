import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** An HTML page with one program of this folder; `codex-collab` in it is the shipped code from `dist/`. */
export async function bundledPage(program: string): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, `${program}.program.tsx`),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  const code = output.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
  const script = code.replaceAll('</script', String.raw`<\/script`);
  return `<!doctype html><meta charset="utf-8"><title>page</title><div id="root"></div><script>${script}</script>`;
}
