/** The images of references/images are those of the scenes, and README opens with two of them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scenes } from '../../scripts/images/scenes.mjs';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('each scene has its image, the digest of its sources, and sources that exist', () => {
  const digests = z
    .record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))
    .parse(JSON.parse(read('references/images/sources.json')));
  expect(Object.keys(digests).toSorted()).toEqual(scenes.map(({ image }) => image).toSorted());
  for (const { image, sources } of scenes) {
    expect(existsSync(join(root, 'references/images', image))).toBe(true);
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  }
});

test('README opens with an image of the terminal and one of the page', () => {
  const shown = [...read('README.md').matchAll(/!\[[^\]]+\]\(references\/images\/([\w.-]+)\)/g)].map(
    ([, name]) => name,
  );
  expect(shown.slice(0, 2)).toEqual(['terminal-findings.png', 'page-review.png']);
});
