// Measures the requests for 20 real changes: tokens a changed line, functions shown whole, and the text that is equal.
//   node bench/prompts.mjs              the table; needs the releases that npm run test:changes installs
//   node bench/prompts.mjs --print 3    the requests for the third change, whole
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';

const { values } = parseArgs({ options: { print: { type: 'string' } } });
const { measurePrompts, printPrompts } = await import(
  await bundle(join(import.meta.dirname, 'prompts/measure-prompts.ts'))
);
process.stdout.write(values.print === undefined ? measurePrompts() : printPrompts(Number(values.print)));
