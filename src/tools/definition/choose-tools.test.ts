import { expect, test } from 'vitest';
import { createToolChooser } from './choose-tools.ts';
import { searchTerms } from './search-terms.ts';
import type { Embedder } from './tool-search.ts';
import { toolOf } from '../tool.test-helper.ts';

function told(name: string, description: string, parameters: readonly string[] = []) {
  const properties = Object.fromEntries(parameters.map((key) => [key, { type: 'string' }]));
  return toolOf(name, { description, parameters: { type: 'object', properties } });
}

const fillers = Array.from({ length: 996 }, (_, index) =>
  told(`filler.part_${String(index).padStart(3, '0')}`, 'Keeps the store of widgets in order.'),
);
const weather = told('get_weather', 'Current conditions at a place.', ['location']);
const tokyo = told('jp.tenki', '天気を調べる', ['場所']);
const invoice = told('billing.createInvoice', 'Makes an invoice.', ['customerId', 'amount']);
const status = told('fetchHTTPStatus', 'Asks a server.');
/** Out of the order of their names. */
const thousand = [status, ...fillers, weather, tokyo, invoice];

async function chosen(
  text: string,
  own: Parameters<typeof createToolChooser>[1] & { called?: string[] } = {},
) {
  const { called = [], ...options } = own;
  const tools = await createToolChooser(thousand, options).choose({ text, called: new Set(called) });
  return tools.map(({ name }) => name);
}

test('X004-9.4 up to 32 tools are all told', async () => {
  const few = thousand.slice(0, 32);
  expect(await createToolChooser(few).choose({ text: 'weather', called: new Set() })).toEqual(few);
  const more = await createToolChooser(thousand.slice(0, 33)).choose({ text: '', called: new Set() });
  expect(more).toHaveLength(16);
});

test('R004-12.2 X004-9.4 of a thousand tools sixteen are listed, with those that are pinned or were called', async () => {
  const options = { pinned: ['filler.part_990'], called: ['filler.part_991', 'no_such_tool'] };
  const names = await chosen('What is the weather like in Tokyo?', options);
  expect(names).toHaveLength(18);
  expect(names).toEqual(expect.arrayContaining(['get_weather', 'filler.part_990', 'filler.part_991']));
});

test.each([
  ['What is the weather like?', 'get_weather'],
  ['pick a location', 'get_weather'],
  ['make an invoice for the customer', 'billing.createInvoice'],
  ['台北の天気を調べて', 'jp.tenki'],
  ['the http status of a page', 'fetchHTTPStatus'],
  ['createinvoice', 'billing.createInvoice'],
])('R004-12.1 X004-9.1 %s finds %s by its name, its description or its parameters', async (text, name) => {
  expect(await chosen(text)).toContain(name);
});

test('X004-9.2 what fits equally well comes by its name, however the tools are registered', async () => {
  const names = await chosen('xyzzy');
  expect(names.toSorted()).toEqual(
    thousand
      .map(({ name }) => name)
      .toSorted()
      .slice(0, 16),
  );
  expect(names).toContain('billing.createInvoice');
  const turned = createToolChooser(thousand.toReversed());
  const again = await turned.choose({ text: 'xyzzy', called: new Set() });
  expect(again.map(({ name }) => name)).toEqual(names.toReversed());
});

test('the tools stand in the order of their registration', async () => {
  expect((await chosen('weather invoice status')).slice(-2)).toEqual([
    'get_weather',
    'billing.createInvoice',
  ]);
});

test('X004-9.3 an embedder finds by meaning what shares no word', async () => {
  const asked: number[] = [];
  const embedder: Embedder = {
    async embed(texts) {
      asked.push(texts.length);
      return texts.map((text) => (/weather|umbrella/.test(text) ? [1, 0] : [0, 1]));
    },
  };
  const chooser = createToolChooser(thousand, { embedder });
  for (const text of ['do I need an umbrella?', 'an umbrella again']) {
    const names = (await chooser.choose({ text, called: new Set() })).map(({ name }) => name);
    expect(names).toContain('get_weather');
  }
  expect(asked.toSorted((one, other) => one - other)).toEqual([1, 1, 1000]);
});

test('a failing embedder leaves the choice to the word search', async () => {
  const embedder: Embedder = { embed: async () => Promise.reject(new Error('no model')) };
  expect(await chosen('weather', { embedder })).toContain('get_weather');
  expect(await chosen('weather', { embedder: { embed: async () => [] } })).toContain('get_weather');
});

test.each([
  ['getHTTPStatus2', ['get', 'http', 'status', '2', 'gethttpstatus2']],
  ['fs.read_file-now', ['fs', 'read', 'file', 'now']],
  ['台北の天気', ['台北', '北の', 'の天', '天気']],
  ['天 weatherの', ['天', 'weather', 'の']],
  ['ＡＢＣ café', ['abc', 'café']],
  ['', []],
])('X004-9.1 %s is found by %j', (text, terms) => {
  expect(searchTerms(text)).toEqual(terms);
});
