import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, expectTypeOf, test } from 'vitest';
import {
  AgentPainException,
  type ContentSegment,
  type ContentType,
  type IAgentContext,
  type IProvider,
  type ITool,
  type ProviderResponse,
  type ToolCall,
} from './interfaces.ts';

test('R004-2.1 R004-3 calls and segments have the types that the specification writes', () => {
  expectTypeOf<ToolCall>().toEqualTypeOf<{ id?: string; name: string; args: any }>();
  expectTypeOf<ContentType>().toEqualTypeOf<'text' | 'image' | 'audio' | 'video' | 'ui' | 'tool_call'>();
  expectTypeOf<ContentSegment>().toEqualTypeOf<{
    ui?: any;
    toolCall?: ToolCall;
    mimeType?: string;
    data?: string;
    text?: string;
    type: ContentType;
  }>();
});

test('R004-5, R004-6, R004-7 a provider written by the specification alone is a provider', async () => {
  expectTypeOf<ProviderResponse>().toEqualTypeOf<{ segments: ContentSegment[]; metadata?: any }>();
  expectTypeOf<IAgentContext['tools']>().toEqualTypeOf<Map<string, ITool>>();
  expectTypeOf<Pick<ITool, 'name' | 'description'>>().toEqualTypeOf<{
    readonly name: string;
    readonly description: string;
  }>();
  class Echo implements IProvider {
    name = 'echo';
    async generate(prompt: string, context: { tools: Map<string, ITool> }): Promise<ProviderResponse> {
      return { segments: [{ type: 'text', text: `${prompt} ${[...context.tools.keys()].join()}` }] };
    }
  }
  const read: ITool = { name: 'read', description: 'Reads.', parameters: { type: 'object' } };
  expect(await new Echo().generate('hi', { tools: new Map([['read', read]]) })).toEqual({
    segments: [{ type: 'text', text: 'hi read' }],
  });
});

test('R004-13 what cannot be read is told with its cause and as it came', () => {
  const cause = new SyntaxError('no JSON');
  const pain = new AgentPainException('the answer cannot be read', { cause, raw: '{' });
  expect(pain).toBeInstanceOf(Error);
  expect(pain).toMatchObject({
    name: 'AgentPainException',
    message: 'the answer cannot be read',
    cause,
    raw: '{',
  });
});

test('R004-15 the definitions bring nothing of the core with them', async () => {
  const { modules, imports } = await bundleOf('src/tools/definition/interfaces.ts');
  expect({ modules, imports }).toEqual({ modules: 1, imports: [] });
  // The check itself works.
  const other = await bundleOf('src/tools/definition/define-tool.ts');
  expect(other.modules).toBeGreaterThan(1);
  expect((await bundleOf('src/tools/files/find-inside.ts')).imports).toContain('node:path');
});

test('R004-15 the package offers them under a name of their own', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    exports: {
      './interfaces': {
        types: './dist/types/tools/definition/interfaces.d.ts',
        default: './dist/interfaces.js',
      },
    },
  });
});

const root = join(import.meta.dirname, '../../..');

async function bundleOf(path: string) {
  const build = await rolldown({ input: join(root, path), platform: 'neutral', external: [/^node:/] });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  const chunks = output.filter((chunk) => chunk.type === 'chunk');
  return {
    modules: chunks.flatMap(({ moduleIds }) => moduleIds).length,
    imports: chunks.flatMap(({ imports }) => imports),
  };
}
