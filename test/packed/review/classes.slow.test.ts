/** Classes and replacements through the installed command: from an answer to the reports and to a baseline. */
import { describe } from 'vitest';
import { z } from 'zod';
import { test, type Place } from '../place.ts';

const resultSchema = z.looseObject({
  findings: z.array(
    z.looseObject({
      title: z.string(),
      identity: z.string(),
      claim: z.string().optional(),
      replacement: z.string().optional(),
      replacement_unused: z.string().optional(),
      baseline: z.boolean().optional(),
    }),
  ),
});
const regionSchema = z.object({ startLine: z.int(), endLine: z.int() });
const fixSchema = z.object({
  artifactChanges: z.tuple([
    z.looseObject({
      replacements: z.tuple([
        z.object({
          deletedRegion: z.looseObject(regionSchema.shape),
          insertedContent: z.object({ text: z.string() }),
        }),
      ]),
    }),
  ]),
});
const sarifSchema = z.object({
  runs: z.tuple([
    z.looseObject({
      results: z.array(
        z.looseObject({ message: z.object({ text: z.string() }), fixes: z.array(fixSchema).optional() }),
      ),
    }),
  ]),
});

const secret = 'Xk93!qLm27pz';
const masked = '*'.repeat(secret.length);
const pay = [
  'export function pay(total: number): number {',
  '  const fee = total / 0;',
  `  const password = "${secret}";`,
  '  return fee;',
  '}',
];

interface Item {
  readonly title: string;
  readonly line: number;
  readonly claim?: string;
  readonly replacement?: string;
}

/** Writes a script of an advisor that reports these problems. */
function advisorOf(place: Place, ...items: readonly Item[]): string {
  const issues = items.flatMap(({ title, line, claim, replacement }, index) => [
    `${index + 1}. **${title}** — \`src/pay.ts:${line}\``,
    '   ```',
    `   ${pay[line - 1]?.replace(secret, masked)}`,
    '   ```',
    ...(claim === undefined ? [] : [`   Class: ${claim}`]),
    '   Why: it is wrong.',
    ...(replacement === undefined ? [] : ['   Replacement:', '   ```', `   ${replacement}`, '   ```']),
  ]);
  const sections = [
    '## STRENGTHS',
    'None',
    '## ISSUES',
    '### Important',
    ...issues,
    '## SUGGESTIONS',
    'None',
  ];
  const answer = ['[RESPONSE:REVIEW]', ...sections].map((line) => `      ${line}`).join('\n');
  place.write('advisor.yaml', `turns:\n  - repeat: forever\n    answer: |\n${answer}\n`);
  return 'rehearsal:advisor.yaml';
}

function begin(place: Place): void {
  place.git('init', '-q');
  place.write('.gitignore', '*.json\n*.sarif\n*.yaml\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'base');
  place.git('checkout', '-qb', 'topic');
  place.write('src/pay.ts', `${pay.join('\n')}\n`);
  place.git('add', '-A');
  place.git('commit', '-qm', 'pay');
}

async function review(place: Place, advisor: string, ...flags: readonly string[]) {
  const range = ['--base', 'main', '--advisor', advisor, '--no-cache'];
  const reports = ['--report', 'json=result.json', '--report', 'sarif=result.sarif'];
  const { stdout } = await place.collab(['review', ...range, ...reports, ...flags]);
  const { findings } = resultSchema.parse(JSON.parse(place.read('result.json')));
  return { stdout, of: (title: string) => findings.filter((finding) => finding.title === title) };
}

const zero = { title: 'It divides by zero', line: 2, claim: 'Correctness' };

describe.concurrent('classes and replacements', () => {
  test('an exact replacement is in every report, and its fix gives the file; a masked one is dropped', async ({
    place,
    expect,
  }) => {
    begin(place);
    const advisor = advisorOf(
      place,
      { ...zero, replacement: '  const fee = total / 100;' },
      { title: 'The fee is open to anyone', line: 2, claim: 'security' },
      {
        title: 'The password is in the source',
        line: 3,
        claim: 'security',
        replacement: `  const password = env.PASSWORD ?? "${masked}";`,
      },
    );
    const { stdout, of } = await review(place, advisor);
    expect(of(zero.title)).toMatchObject([
      { claim: 'correctness', replacement: '  const fee = total / 100;' },
    ]);
    expect(of('The fee is open to anyone')).toMatchObject([{ claim: 'security' }]);
    const [password] = of('The password is in the source');
    expect(password).toMatchObject({ claim: 'security', replacement_unused: 'masked' });
    expect(password).not.toHaveProperty('replacement');
    expect(stdout).toMatch(/Class: correctness\n/);
    expect(stdout).toContain('Replacement:\n  -   const fee = total / 0;\n  +   const fee = total / 100;\n');
    expect(stdout).toMatch(/its replacement does not count: it contains a masked\s+value/);

    const { results } = sarifSchema.parse(JSON.parse(place.read('result.sarif'))).runs[0];
    const [fixed, ...others] = results.filter(({ fixes }) => fixes !== undefined);
    expect(others).toEqual([]);
    expect(fixed?.message.text).toContain(zero.title);
    const change = fixed?.fixes?.[0]?.artifactChanges[0].replacements[0];
    const { startLine = 0, endLine = 0 } = change?.deletedRegion ?? {};
    expect(pay.toSpliced(startLine - 1, endLine - startLine + 1, change?.insertedContent.text ?? '')).toEqual(
      pay.with(1, '  const fee = total / 100;'),
    );
  });

  test('a baseline covers its class and findings without one, but no other class at the same line', async ({
    place,
    expect,
  }) => {
    begin(place);
    await review(place, advisorOf(place, zero));
    place.write('main.json', place.read('result.json'));
    const since = async (item: Item): Promise<unknown> => {
      const { of } = await review(place, advisorOf(place, item), '--baseline', 'main.json');
      return of(item.title).map(({ baseline }) => baseline ?? false);
    };
    expect(await since({ ...zero, title: 'The fee is infinite' })).toEqual([true]);
    expect(await since({ ...zero, title: 'The fee is infinite', claim: 'naming' })).toEqual([true]);
    expect(await since({ ...zero, claim: 'security' })).toEqual([false]);
  });
});
