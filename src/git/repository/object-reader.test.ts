import { expect, test } from 'vitest';
import { scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { findRepository } from './find-root.ts';
import { openGitView } from './git-view.ts';
import { createObjectReader } from './object-reader.ts';

async function openScratch() {
  const repository = scratchRepository();
  const contents = ['', 'text\n', '\n\n', `${'x'.repeat(300_000)}\n`, 'a'.repeat(40) + ' blob 7\nfalse\n'];
  for (const [index, content] of contents.entries()) repository.write(`${index}`, content);
  repository.write('binary', Buffer.from([0, 255, 10, 0]));
  const head = repository.commit('base');
  const found = await findRepository(repository.root);
  if (found === null) throw new Error('no repository');
  const view = await openGitView(found, { env: repository.env });
  const idOf = (path: string) => repository.git('rev-parse', `HEAD:${path}`).trim();
  const started: string[] = [];
  const objects = createObjectReader((args, options) => {
    started.push(args.join(' '));
    return view.inWorkTree(args, options);
  });
  const close = async () => {
    await objects.close();
    await view.close();
  };
  return { repository, contents, head, idOf, started, objects, close };
}

test('one git process answers every request in order, for any content', async () => {
  const { repository, contents, head, idOf, started, objects, close } = await openScratch();
  const ids = contents.map((_, index) => idOf(`${index}`));
  const absent = 'f'.repeat(40);
  const [blobs, id, tree, none] = await Promise.all([
    objects.blobs([...ids, absent, head, idOf('binary'), ...ids]),
    objects.id('main^{commit}'),
    objects.id(`${head}^{tree}`),
    objects.id('no such name'),
  ]);
  expect(blobs.map((blob) => blob?.toString('latin1') ?? null)).toEqual([
    ...contents,
    null,
    null,
    '\0\u00FF\n\0',
    ...contents,
  ]);
  expect([id, tree, none]).toEqual([head, repository.git('rev-parse', 'HEAD^{tree}').trim(), null]);
  expect(started).toEqual(['cat-file --batch']);
  await close();
});

test('a name with several lines, or none, resolves to nothing', async () => {
  const { head, objects, close } = await openScratch();
  const ids = await Promise.all(
    ['', `${head}\n${head}`, '--help', '-rf', head].map((name) => objects.id(name)),
  );
  expect(ids).toEqual([null, null, null, null, head]);
  await close();
});

test('a name that ends git resolves to nothing; later requests are sent again', async () => {
  const { head, started, objects, close } = await openScratch();
  // A branch without an upstream ends git.
  const ids = await Promise.all([objects.id(head), objects.id('main@{upstream}'), objects.id(head)]);
  expect(ids).toEqual([head, null, head]);
  expect(started.length).toBeLessThanOrEqual(2);
  await close();
});

test('a closed reader can be used again', async () => {
  const { head, objects, close } = await openScratch();
  expect(await objects.id(head)).toBe(head);
  await objects.close();
  expect(await objects.id(head)).toBe(head);
  await close();
});

test('every request fails if git cannot be started', async () => {
  const { objects, close } = await openScratch();
  await close();
  const refused = createObjectReader(() => Promise.reject(new Error('no git')));
  const asked = await Promise.allSettled([refused.id('a'), refused.id('b')]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await objects.close();
});

test('objects written after git was started are found', async () => {
  const { repository, head, objects, close } = await openScratch();
  expect(await objects.id(head)).toBe(head);
  repository.write('later', 'later\n');
  const later = repository.commit('later');
  expect(await objects.id('main^{commit}')).toBe(later);
  await close();
});
