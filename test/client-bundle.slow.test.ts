import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../src/client');

test.each(['client.ts', 'react.ts'])(
  'the bundle of %s needs neither Node nor zod, and stays small',
  async (entry) => {
    const build = await rolldown({
      input: join(source, entry),
      platform: 'browser',
      external: [/^react(\/|$)/, /^node:/],
      logLevel: 'silent',
    });
    const { output } = await build.generate({ format: 'esm', minify: true });
    await build.close();
    const chunks = output.filter((part) => part.type === 'chunk');
    const outside = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
    expect(outside.filter((name) => !/^react(\/|$)/.test(name))).toEqual([]);
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
    expect(modules.filter((id) => /node_modules\/zod\//.test(id))).toEqual([]);
    expect(modules.some((id) => id.includes('eventsource-parser'))).toBe(true);
    expect(chunks.reduce((size, { code }) => size + code.length, 0)).toBeLessThan(24 * 1024);
  },
);
