/** A provider that handles errors by the pattern of specification 003, in its own words, is a sound one for the installed command. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startRawUpstream } from '../upstream/raw-server.ts';
import { example, repository, test, type Place } from '../packed/place.ts';

const pattern = readFileSync(join(repository, 'test/fixtures/specification/error-pattern.txt'), 'utf8');

/** The errors of a vendor's SDK, which the pattern catches. Python's classes have no more than a message. */
const classes = `
class APIError extends Error {}
class AuthenticationError extends APIError {}
class RateLimitError extends APIError {}
class ValueError extends Error {}
class RuntimeError extends Error {}
`;

/** The pattern with the syntax of JavaScript: each text and each condition is still that of the specification. */
function inJavaScript(): string {
  const rules = [...pattern.matchAll(/^except (\w+)(?: as e)?:\n {4}raise (\w+)\((f?)"(.*)"\)$/gm)];
  if (rules.length !== 4) throw new Error('the pattern has four rules');
  const lines = rules.map(([, caught, thrown, , text = '']) => {
    const condition = caught === 'Exception' ? '' : `if (e instanceof ${caught}) `;
    const words = text.replaceAll(
      /\{(?:str\(e\)|e\.(\w+))\}/g,
      (_all, field = 'message') => `\${e.${field}}`,
    );
    return `    ${condition}throw new ${thrown}(\`${words}\`);`;
  });
  return lines.join('\n');
}

/** The example with the errors of an SDK and the pattern around its request. */
function writeProvider({ folder, read, write }: Place): void {
  const client = join('ai_client', 'echo', 'echo_client.js');
  cpSync(example('ai_client/echo'), join(folder, 'ai_client/echo'), { recursive: true });
  const written = read(client)
    .replace('  APIError,\n  codeOfStatus,\n', '')
    .replace('export class', `${classes}\nexport class`)
    .replace('    const response = await fetch(', '    const response = await this.#generate(')
    .replace(/ {4}const \{ status \} = response;[^]*?\n {4}\}\);\n/, '')
    .replace(
      '      if (!signal.aborted) throw error;\n',
      `      if (!signal.aborted) return this.#raise(error);\n`,
    )
    .replaceAll(/new APIError\((.*?), \{ code: '\w+' \}\)/g, 'new APIError($1)')
    .replace(
      'async function* piecesOf',
      "function statusError(response) {\n  const message = `${response.status} status code`;\n  if (response.status === 401) return new AuthenticationError(message);\n  if (response.status !== 429) return new APIError(message);\n  return Object.assign(new RateLimitError(message), { retry_after: response.headers.get('retry-after') });\n}\n\nasync function* piecesOf",
    )
    .replace(
      '  async #post(',
      `  #raise(e) {\n${inJavaScript()}\n  }\n\n  async #generate(url, init) {\n    const response = await fetch(url, init).catch((e) => {\n      throw init.signal.aborted ? e : new APIError('Connection error.');\n    });\n    if (!response.ok) throw statusError(response);\n    return response;\n  }\n\n  async #post(`,
    );
  write(client, written);
}

test('R003-45 R003-59 its error pattern, in its own words, passes the check of a provider', async ({
  place,
  expect,
}) => {
  writeProvider(place);
  expect(await place.collab(['provider', 'check', 'ai_client/echo'])).toEqual({
    code: 0,
    stdout: 'echo meets the contract\n',
    stderr: '',
  });
});

test('R003-45.1 what the pattern says reaches the person, and an invalid key is not tried again', async ({
  place,
  expect,
}) => {
  writeProvider(place);
  const upstream = await startRawUpstream();
  onTestFinished(() => upstream.close());
  const url = upstream.answerAt({ status: 401, contentType: 'application/json', pieces: ['{}'] });
  const env = { ECHO_API_KEY: 'any', ECHO_API_BASE: url };
  const args = ['review', example('harmless.diff'), '--advisor', 'echo'];
  const { code, stdout, stderr } = await place.collab(args, { env });
  expect(code).toBe(4);
  expect(`${stdout}${stderr}`).toContain('APIキーが無効です。環境変数を確認してください。');
});
