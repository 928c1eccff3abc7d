// 12 parts of a clinic's program, 5 files each, 50 changed lines a file.

const parts = {
  appointment: ['room', 'doctor', 'reason', 'minutes'],
  bed: ['ward', 'number', 'state', 'cleaned'],
  consent: ['form', 'signer', 'scope', 'until'],
  delivery: ['carrier', 'parcel', 'door', 'arrived'],
  equipment: ['maker', 'model', 'serial', 'checked'],
  guardian: ['relation', 'phone', 'address', 'since'],
  invoice: ['payer', 'amount', 'currency', 'due'],
  laboratory: ['sample', 'method', 'value', 'unit'],
  medication: ['substance', 'dose', 'rhythm', 'ends'],
  nurse: ['team', 'shift', 'pager', 'leave'],
  patient: ['insurer', 'born', 'language', 'allergy'],
  referral: ['sender', 'target', 'urgency', 'letter'],
};

/** The fault that replaces a line, by file and line. */
const faults = {
  'src/bed/bed-store.ts': [
    /const rows = await database\.query/,
    (line) => line.replace(/'(SELECT .*) = \$1', \[(\w+)\]/, "`$1 = '${$2}'`"),
    'sql-from-values',
    'critical',
  ],
  'src/consent/consent.ts': [
    /const copy = /,
    () => '  const copy = JSON.parse(JSON.stringify(consent));',
    'json-clone',
    'minor',
  ],
  'src/equipment/equipment-service.test.ts': [
    /^test\('a removed/,
    (line) => line.replace('test(', 'test.only('),
    'focused-test',
    'important',
  ],
  'src/guardian/guardian-routes.ts': [
    /redirect\(/,
    () => '  if (guardian === null) return response.redirect(request.query.back);',
    'open-redirect',
    'important',
  ],
  'src/invoice/invoice-service.ts': [
    /const rated = /,
    () => '    const rated = Math.round(invoice.amount) * rate;',
    'rounded-before-rate',
    'important',
  ],
  'src/laboratory/laboratory-service.ts': [
    /index < /,
    (line) => line.replace('index < ', 'index <= '),
    'loop-past-end',
    'important',
  ],
  'src/nurse/nurse-store.ts': [
    /\.catch\(/,
    (line) => line.replace(/\.catch\(.*\);/, '.catch(() => {});'),
    'swallowed-rejection',
    'important',
  ],
  'src/patient/patient-routes.ts': [
    /Reads one/,
    () => '  // TODO: who may read this?',
    'todo-comment',
    'minor',
  ],
  'src/referral/referral.ts': [
    /const id = /,
    () => '  const sessionToken = Math.random().toString(36);',
    'insecure-random',
    'critical',
  ],
};

export function largeChange() {
  return Object.entries(parts).flatMap(([part, fields]) => {
    const Type = part[0].toUpperCase() + part.slice(1);
    const words = { part, Type, fields };
    return [
      { path: `src/${part}/${part}.ts`, kind: 'added', rows: added(model(words)) },
      { path: `src/${part}/${part}-store.ts`, kind: 'added', rows: added(store(words)) },
      { path: `src/${part}/${part}-service.ts`, kind: 'modified', rows: service(words) },
      { path: `src/${part}/${part}-service.test.ts`, kind: 'added', rows: added(serviceTest(words)) },
      { path: `src/${part}/${part}-routes.ts`, kind: 'modified', rows: routes(words) },
    ].map(plantFault);
  });
}

function plantFault(file) {
  const [pattern, change, rule, severity] = faults[file.path] ?? [];
  if (pattern === undefined) return file;
  const at = file.rows.findIndex((row) => row.startsWith('+') && pattern.test(row.slice(1)));
  if (at < 0) throw new Error(`no place for the fault of ${file.path}`);
  const row = `+${change(file.rows[at].slice(1))}`;
  return { ...file, rows: file.rows.with(at, { row, severity, rule }) };
}

function added(lines) {
  return lines.map((line) => `+${line}`);
}

function model({ part, Type, fields }) {
  const [first, second] = fields;
  return [
    `/** What is known of one ${part}. */`,
    `export interface ${Type} {`,
    '  readonly id: string;',
    ...fields.map((field) => `  readonly ${field}: string;`),
    '  /** 1 for the first. */',
    '  readonly version: number;',
    '}',
    '',
    `export type ${Type}Draft = Omit<${Type}, 'id' | 'version'>;`,
    '',
    `/** A ${part} that is not stored yet. */`,
    `export function new${Type}(draft: ${Type}Draft, ids: { next(): string }): ${Type} {`,
    '  const id = ids.next();',
    '  return { ...draft, id, version: 1 };',
    '}',
    '',
    `/** The next version of it; a ${part} is never changed in place. */`,
    `export function next${Type}(${part}: ${Type}, change: Partial<${Type}Draft>): ${Type} {`,
    `  const copy = { ...${part}, ...change };`,
    `  return { ...copy, id: ${part}.id, version: ${part}.version + 1 };`,
    '}',
    '',
    `export function titleOf(${part}: ${Type}): string {`,
    `  return [${part}.${first}, ${part}.${second}].filter((word) => word !== '').join(', ');`,
    '}',
    '',
    '/** What is missing in a draft, by field. */',
    `export function faultsOf(draft: ${Type}Draft): readonly string[] {`,
    '  const faults: string[] = [];',
    ...fields.flatMap((field) => [
      `  if (draft.${field}.trim() === '') {`,
      `    faults.push('${field}');`,
      '  }',
    ]),
    '  return faults;',
    '}',
    '',
    `export function is${Type}Id(text: string): boolean {`,
    `  return /^${part}-\\d+$/.test(text);`,
    '}',
  ];
}

function store({ part, Type, fields }) {
  const columns = ['id', ...fields, 'version'];
  return [
    `import type { ${Type} } from './${part}.ts';`,
    "import type { Database } from '../database.ts';",
    "import { log } from '../log.ts';",
    '',
    `export interface ${Type}Store {`,
    `  find(id: string): Promise<${Type} | null>;`,
    `  of${capital(fields[0])}(${fields[0]}: string): Promise<readonly ${Type}[]>;`,
    `  put(${part}: ${Type}): Promise<void>;`,
    '  remove(id: string): Promise<void>;',
    '}',
    '',
    `/** Rows of the table ${part}s. */`,
    `export function create${Type}Store(database: Database): ${Type}Store {`,
    '  return {',
    '    async find(id) {',
    `      const [row] = await database.query('SELECT * FROM ${part}s WHERE id = $1', [id]);`,
    `      return row === undefined ? null : to${Type}(row);`,
    '    },',
    `    async of${capital(fields[0])}(${fields[0]}) {`,
    `      const rows = await database.query('SELECT * FROM ${part}s WHERE ${fields[0]} = $1', [${fields[0]}]);`,
    `      return rows.map(to${Type});`,
    '    },',
    `    async put(${part}) {`,
    '      await database.query(upsert, [',
    ...columns.map((column) => `        ${part}.${column},`),
    '      ]);',
    '    },',
    '    /** What follows from it is removed by the table itself. */',
    '    async remove(id) {',
    `      await database.query('DELETE FROM ${part}s WHERE id = $1', [id]);`,
    `      database.notify('${part}').catch((error: unknown) => log.warn('notify', error));`,
    '    },',
    '  };',
    '}',
    '',
    '/** The last write of a version wins. */',
    'const upsert =',
    `  'INSERT INTO ${part}s VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET version = $6';`,
    '',
    '/** What is missing in a row is empty. */',
    `function to${Type}(row: Readonly<Record<string, string>>): ${Type} {`,
    "  const { id = '', version = '0' } = row;",
    `  const { ${fields.map((field) => `${field} = ''`).join(', ')} } = row;`,
    `  return { id, ${fields.join(', ')}, version: Number(version) };`,
    '}',
  ];
}

function service({ part, Type, fields }) {
  const [first, second, third] = fields;
  return [
    `-import { database } from '../database.ts';`,
    `+import { faultsOf, new${Type}, next${Type}, type ${Type}, type ${Type}Draft } from './${part}.ts';`,
    `+import type { ${Type}Store } from './${part}-store.ts';`,
    " import { Refused } from '../refused.ts';",
    " import { ids } from '../ids.ts';",
    ' ',
    ` /** What the clinic does with a ${part}. */`,
    `-export class ${Type}Service {`,
    `+export function create${Type}Service(store: ${Type}Store) {`,
    `+  return { add, change, count, rate, remove };`,
    '+',
    `-  async add(draft: Record<string, string>) {`,
    "-    if (draft['id'] !== undefined) throw new Refused('id');",
    `-    const row = { ...draft, id: ids.next() };`,
    `-    await database.insert('${part}s', row);`,
    '-    return row;',
    `+  async function add(draft: ${Type}Draft): Promise<${Type}> {`,
    '+    const faults = faultsOf(draft);',
    "+    if (faults.length > 0) throw new Refused(faults.join(', '));",
    `+    const ${part} = new${Type}(draft, ids);`,
    `+    await store.put(${part});`,
    `+    return ${part};`,
    '   }',
    ' ',
    `-  async change(id: string, ${first}: string) {`,
    `-    const row = await database.find('${part}s', id);`,
    "-    if (row === null) throw new Refused('unknown');",
    `-    row['${first}'] = ${first};`,
    `-    await database.update('${part}s', row);`,
    '-    return row;',
    `+  async function change(id: string, ${first}: string): Promise<${Type}> {`,
    `+    const ${part} = next${Type}(await known(id), { ${first} });`,
    `+    await store.put(${part});`,
    `+    return ${part};`,
    '   }',
    ' ',
    `   /** How many have a ${second} and no ${third}. */`,
    `-  async count(${first}: string) {`,
    `-    const rows = await database.all('${part}s', ${first});`,
    '-    let count = 0;',
    '-    for (const row of rows) {',
    `-      if (row['${second}'] && !row['${third}']) count += 1;`,
    '-    }',
    '-    return count;',
    `+  async function count(${first}: string): Promise<number> {`,
    `+    const found = await store.of${capital(first)}(${first});`,
    '+    for (let index = 0; index < found.length; index += 1) {',
    `+      if (found[index].${second} === '') return index;`,
    '     }',
    '+    return found.length;',
    '   }',
    ' ',
    '-  async rate(id: string, rate: number) {',
    `-    return (await database.find('${part}s', id)).${second} * rate;`,
    '-  }',
    '+  async function rate(id: string, rate: number): Promise<number> {',
    `+    const ${part} = await known(id);`,
    `+    const rated = Number(${part}.${second}) * rate;`,
    '     return rated;',
    '   }',
    '+',
    '+  async function remove(id: string): Promise<void> {',
    '+    await store.remove((await known(id)).id);',
    '+  }',
    ' }',
  ];
}

function serviceTest({ part, Type, fields }) {
  const [first, second] = fields;
  return [
    "import { beforeEach, expect, test } from 'vitest';",
    `import { create${Type}Service } from './${part}-service.ts';`,
    `import { create${Type}Store } from './${part}-store.ts';`,
    "import { scratchDatabase } from '../scratch-database.ts';",
    '',
    `let service: ReturnType<typeof create${Type}Service>;`,
    '',
    'beforeEach(async () => {',
    `  service = create${Type}Service(create${Type}Store(await scratchDatabase()));`,
    '});',
    '',
    `const draft = {`,
    ...fields.map((field) => `  ${field}: 'some ${field}',`),
    '};',
    '',
    `test('a ${part} that was added is counted', async () => {`,
    '  await service.add(draft);',
    `  expect(await service.count(draft.${first})).toBe(1);`,
    '});',
    '',
    `test('a ${part} needs its ${first}', async () => {`,
    `  await expect(service.add({ ...draft, ${first}: '' })).rejects.toThrow('${first}');`,
    '});',
    '',
    `test('a ${part} needs its ${second}', async () => {`,
    `  await expect(service.add({ ...draft, ${second}: '' })).rejects.toThrow('${second}');`,
    '});',
    '',
    `test('a change makes the next version', async () => {`,
    '  const { id } = await service.add(draft);',
    "  const changed = await service.change(id, 'another');",
    `  expect(changed).toEqual({ ...draft, id, ${first}: 'another', version: 2 });`,
    '});',
    '',
    `test('a removed ${part} is gone', async () => {`,
    '  const { id } = await service.add(draft);',
    '  await service.remove(id);',
    "  await expect(service.change(id, 'another')).rejects.toThrow('unknown');",
    '});',
    '',
    "test('an unknown one cannot be removed', async () => {",
    "  await expect(service.remove('nobody')).rejects.toThrow('unknown');",
    '});',
    '',
    `test('no ${part} is none', async () => {`,
    `  expect(await service.count(draft.${first})).toBe(0);`,
    '});',
  ];
}

function routes({ part, Type, fields }) {
  const kept = (name) => [
    ' ',
    ` export function ${name}(): string {`,
    `   return '/${part}s/${name}';`,
    ' }',
    ' ',
    ` /** Kept for the old client, which asks for ${name}. */`,
    ` export const ${name}Path = ${name}();`,
    ' ',
  ];
  const handler = (field) => [
    `-router.get('/${part}s/${field}/:value', async (request, response) => {`,
    `-  const rows = await service.all('${field}', request.params['value']);`,
    '-  response.json(rows);',
    '-});',
    `+export async function by${capital(field)}(request: Request, response: Response): Promise<void> {`,
    "+  const value = textOf(request.params['value']);",
    `+  const found = await service.find('${field}', value);`,
    '+  response.json(found.map(toWire));',
    '+}',
    ...kept(`${field}s`),
  ];
  return [
    " import type { Request, Response } from '../web.ts';",
    `-import { service } from './${part}-service.ts';`,
    `+import { create${Type}Service } from './${part}-service.ts';`,
    `+import { create${Type}Store } from './${part}-store.ts';`,
    "+import { database } from '../database.ts';",
    '+',
    " import { textOf } from '../text-of.ts';",
    ...kept('all'),
    ...fields.flatMap(handler),
    `-router.get('/${part}s/:id', async (request, response) => {`,
    "-  response.json(await service.one(request.params['id']));",
    '-});',
    `+export async function one(request: Request, response: Response): Promise<void> {`,
    `+  // Reads one ${part}, if the caller may see it.`,
    `+  const ${part} = await service.find('id', textOf(request.params['id']));`,
    `+  if (${part} === null) return response.redirect('/${part}s');`,
    `+  response.json(toWire(${part}));`,
    '+}',
    ' ',
    ' // end',
  ];
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
