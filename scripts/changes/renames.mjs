// A library that becomes a workspace: nearly every file moves, some with a line or two changed, few with many.

const moved = ['arrow', 'axis', 'bar', 'brush', 'chart', 'colour', 'dot', 'frame', 'grid', 'label', 'legend'];
const parts = [
  ...moved,
  'line',
  'margin',
  'needle',
  'path',
  'pie',
  'point',
  'scale',
  'sector',
  'tick',
  'title',
];

export function renamingChange() {
  return [
    ...parts.flatMap((name, index) => [source(name, index), test(name, index)]),
    {
      path: 'packages/draw/src/übersicht.ts',
      oldPath: 'lib/overview.ts',
      kind: 'renamed',
      rows: [
        " import { chart } from './chart.ts';",
        "-import { theme } from './theme.ts';",
        "+import { theme } from '@charts/theme';",
        ' ',
        ...body('overview', 'Draws all charts of a page.'),
      ],
    },
    {
      path: 'packages/draw/bin/draw',
      oldPath: 'bin/draw',
      kind: 'renamed',
      mode: '100755',
      oldMode: '100644',
      rows: [' #!/bin/sh', ' exec node "$(dirname "$0")/../src/main.ts" "$@"'],
    },
    {
      path: 'packages/theme/src/night.ts',
      oldPath: 'packages/theme/src/day.ts',
      kind: 'copied',
      rows: [
        '-export const day = {',
        '+export const night = {',
        "   name: 'plain',",
        "-  paper: '#ffffff',",
        "+  paper: '#101418',",
        ' };',
      ],
    },
    { path: 'bin/release', kind: 'modified', mode: '100755', oldMode: '100644', rows: [' #!/bin/sh'] },
    {
      path: 'lib/index.ts',
      kind: 'deleted',
      rows: parts.map((name) => `-export * from './${name}.ts';`),
    },
    {
      path: 'scripts/move.sh',
      kind: 'added',
      rows: [
        '+#!/bin/sh',
        '+set -e',
        '+# Moves what is left of the old tree.',
        '+mkdir -p packages/draw/src',
        '+mv lib/*.ts packages/draw/src/',
        {
          row: '+rm -rf "$OLD_TREE"/*',
          rule: 'recursive-delete-of-variable',
          severity: 'critical',
        },
      ],
    },
  ];
}

/** Every third file moves unchanged; the others get new imports, and three of them a fault. */
function source(name, index) {
  const file = { path: `packages/draw/src/${name}.ts`, oldPath: `lib/${name}.ts`, kind: 'renamed' };
  const text = body(name, `Draws a ${name}.`);
  if (index % 3 === 0) return { ...file, rows: text };
  const imports = [
    "-import { theme } from './theme.ts';",
    "-import { measure } from './measure.ts';",
    "+import { theme } from '@charts/theme';",
    "+import { measure } from '@charts/measure';",
    ' ',
  ];
  return { ...file, rows: [...imports, ...text.map((row) => faulty(name, row) ?? row)].flat() };
}

function test(name, index) {
  const file = {
    path: `packages/draw/test/${name}.test.ts`,
    oldPath: `test/${name}.test.ts`,
    kind: 'renamed',
  };
  const text = [
    ' ',
    ` it('draws a ${name} of the given size', () => {`,
    `   expect(${name}({ width: ${index + 2}, height: 4 }).length).toBe(${(index + 2) * 4});`,
    ' });',
    ' ',
    ` it('refuses a ${name} without size', () => {`,
    `   expect(() => ${name}({ width: 0, height: 4 })).toThrow('width');`,
    ' });',
  ];
  const path = (from) => `import { ${name} } from '${from}/${name}.ts';`;
  return {
    ...file,
    rows: [" import { expect, it } from 'vitest';", `-${path('../lib')}`, `+${path('../src')}`, ...text],
  };
}

function faulty(name, row) {
  const faults = {
    bar: [
      /const values/,
      '+  const values = Array.from(size.values).map(parseInt);',
      'map-parse-int',
      'important',
    ],
    path: [/throw new/, "+  if (size.width <= 0) throw 'width';", 'thrown-text', 'minor'],
    title: [/measure\(/, '+  const wide = eval(size.formula);', 'eval-call', 'critical'],
  };
  const [pattern, line, rule, severity] = faults[name] ?? [];
  if (pattern === undefined || !pattern.test(row)) return null;
  return [`-${row.slice(1)}`, { row: line, rule, severity }];
}

function body(name, words) {
  return [
    ` /** ${words} */`,
    ` export function ${name}(size: Size): readonly Mark[] {`,
    "   if (size.width <= 0) throw new Error('width');",
    '   const wide = measure(size);',
    '   const values = Array.from(size.values);',
    '   const marks: Mark[] = [];',
    '   for (const value of values) {',
    `     marks.push({ kind: '${name}', at: value * wide, ink: theme.${name} });`,
    '   }',
    '   return marks;',
    ' }',
    ' ',
    ` export function ${name}Size(marks: readonly Mark[]): number {`,
    '   return marks.length;',
    ' }',
    ' ',
    ` export const ${name}Name = '${name}';`,
  ];
}
