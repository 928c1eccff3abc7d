import { expect, test } from 'vitest';
import type { ITool } from './interfaces.ts';
import { createToolUploads, toolsIdOf } from './tools-id.ts';

const read: ITool = {
  name: 'read',
  description: 'Reads.',
  parameters: { type: 'object', properties: { a: {} } },
};
const grep: ITool = { name: 'grep', description: 'Searches.', parameters: { type: 'object' } };

test('X004-10 a set of tools has one id, in whatever order its tools and their keys stand', () => {
  const turned = {
    parameters: { properties: { a: {} }, type: 'object' },
    name: 'read',
    description: 'Reads.',
  };
  expect(toolsIdOf([grep, turned])).toBe(toolsIdOf([read, grep]));
  expect(toolsIdOf([read, grep])).toMatch(/^[0-9a-f]{64}$/);
});

test('X004-10 whatever a model is told of a set changes its id', () => {
  const changed: readonly ITool[] = [
    { ...read, name: 'reed' },
    { ...read, description: 'Reads!' },
    { ...read, parameters: { type: 'object', properties: { b: {} } } },
  ];
  const ids = [[read], [read, grep], [], ...changed.map((tool) => [tool])].map((tools) => toolsIdOf(tools));
  expect(new Set(ids).size).toBe(ids.length);
});

test('R004-11, X004-10 a set is uploaded once, a changed one again', async () => {
  const uploaded: string[] = [];
  const idOf = createToolUploads(async (tools) => {
    uploaded.push(tools.map(({ name }) => name).join());
    return `file-${uploaded.length}`;
  });
  expect(
    await Promise.all([idOf([read]), idOf([{ ...read }]), idOf([read, grep]), idOf([grep, read])]),
  ).toEqual(['file-1', 'file-1', 'file-2', 'file-2']);
  expect(uploaded).toEqual(['read', 'read,grep']);
});

test('an upload that failed is tried again', async () => {
  let tries = 0;
  const idOf = createToolUploads(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no network');
    return 'file';
  });
  await expect(idOf([read])).rejects.toThrow('no network');
  expect(await idOf([read])).toBe('file');
});
