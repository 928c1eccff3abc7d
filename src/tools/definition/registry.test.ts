import { expect, test } from 'vitest';
import { createToolRegistry } from './registry.ts';
import { toolOf } from '../tool.test-helper.ts';

test('R004-2.3 a tool is found by exactly its name, as long as it is registered', () => {
  const read = toolOf('fs.read', { aliases: ['read'], faultOf: () => null });
  const registry = createToolRegistry([read, toolOf('get_weather')]);
  expect(registry.find('fs.read')).toBe(read);
  expect(['read', 'Fs.Read', 'fs--read'].map((name) => registry.find(name))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(registry.list().map(({ name }) => name)).toEqual(['fs.read', 'get_weather']);
  expect([registry.unregister('fs.read'), registry.unregister('fs.read')]).toEqual([true, false]);
  expect(registry.find('fs.read')).toBeUndefined();
  expect(() => registry.register(read)).not.toThrow();
});

test.each([
  [toolOf('fs.read'), 'tool "fs.read": "fs.read" is taken by the tool fs.read'],
  [toolOf('read'), 'tool "read": "read" is taken by the tool fs.read'],
  [toolOf('cat', { aliases: ['read'] }), 'tool "cat": "read" is taken by the tool fs.read'],
  [toolOf('cat', { aliases: ['fs.read'] }), 'tool "cat": "fs.read" is taken by the tool fs.read'],
  [toolOf('cat', { aliases: ['cat'] }), 'tool "cat": "cat" is named twice'],
  [toolOf('read me'), 'tool "read me": "read me" cannot be its name: a name is made of'],
  [
    toolOf('cat', { parameters: { type: 'string' } }),
    'tool "cat": its parameters are not the JSON Schema of an object',
  ],
  [
    toolOf('cat', { parameters: { type: 'object', required: 1 } }),
    'tool "cat": its parameters are not a JSON Schema: ',
  ],
])('a tool that cannot be told from another or by a model is refused: %o', (tool, message) => {
  const registry = createToolRegistry([toolOf('fs.read', { aliases: ['read'] })]);
  expect(() => registry.register(tool)).toThrow(message);
  expect(registry.list()).toHaveLength(1);
});

test.each([
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2020-12/schema',
  undefined,
])('X004-6.1 the arguments of a tool of others are checked by its JSON Schema: %s', ($schema) => {
  const parameters = {
    ...($schema === undefined ? {} : { $schema }),
    $id: 'https://example.org/one-id-for-many-tools',
    type: 'object',
    properties: { city: { type: 'string', format: 'city' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  };
  const registry = createToolRegistry([toolOf('a', { parameters }), toolOf('b', { parameters })]);
  const faultOf = registry.find('a')?.faultOf;
  expect(faultOf?.({ city: 'Taipei', days: 2 })).toBeNull();
  expect(faultOf?.({ days: 0 })).toBe(
    "The arguments of a do not fit its schema: they: must have required property 'city'; days: must be >= 1",
  );
  expect(faultOf?.('Taipei')).toContain('they: must be object');
});
