import { expect, test } from 'vitest';
import type { Tool } from '../../tools/definition/interfaces.ts';
import { toolsWithTokens } from './tools-with-tokens.ts';

const tokens = { github: 'ghp_secret_of_the_user' };
const secret = tokens.github;

test('the value of a token is in no part of what a tool returns', async () => {
  const outcome = {
    content: `is ${secret}`,
    data: { list: [`a${secret}`, 7, null, true], [secret]: { inner: secret } },
    changed: [{ path: `x/${secret}`, before: null, after: '' }],
    isError: false,
  };
  const read = await ran(async () => outcome);
  expect(JSON.stringify(read)).not.toContain(secret);
  expect(read).toMatchObject({
    data: { list: [expect.not.stringContaining(secret), 7, null, true] },
    isError: false,
  });
});

test('it is in no piece of its output, also if it is cut, and not in its error', async () => {
  const told: string[] = [];
  const failing = ran(async (tell) => {
    tell(`a ${secret.slice(0, 9)}`);
    tell(`${secret.slice(9)} b`);
    throw new Error(`failed with ${secret}`);
  }, told);
  const error = await failing.then(() => '', String);
  expect(`${error}${told.join('')}`).not.toContain(secret);
  expect(error).toContain('failed with');
});

test('without tokens, tools stay as they are', () => {
  const tools: readonly Tool[] = [];
  expect(toolsWithTokens(tools, {})).toBe(tools);
});

async function ran(run: (tell: (chunk: string) => void) => Promise<object>, told: string[] = []) {
  const tool = {
    run: (_args: unknown, { tellOutput }: { readonly tellOutput: (chunk: string) => void }) =>
      run(tellOutput),
  };
  const context = { signal: new AbortController().signal, tellOutput: (chunk: string) => told.push(chunk) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a tool and of its call that are used
  const [wrapped] = toolsWithTokens([tool as unknown as Tool], tokens);
  return wrapped?.run({}, context);
}
