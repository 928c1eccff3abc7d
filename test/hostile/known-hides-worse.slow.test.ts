/** Fault 1.6: a known finding hides nothing worse at the same place, in a baseline or a suppression file. */
import { stringify } from 'yaml';
import { z } from 'zod';
import { test, type Place } from '../packed/place.ts';

const patient = { timeout: 120_000 };

const resultSchema = z.looseObject({ findings: z.array(z.looseObject({ identity: z.string() })) });

interface Claim {
  readonly severity: 'Critical' | 'Important' | 'Minor';
  readonly title: string;
}

const quotation = 'db.find(`id is ${id}`);';
const minor: Claim = { severity: 'Minor', title: 'The line is long' };
const critical: Claim = { severity: 'Critical', title: 'SQL injection by the id' };

function begin(place: Place): void {
  place.git('init', '-q');
  place.write('a.js', 'export const a = 1;\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'base');
  place.write('a.js', `export const a = 1;\nexport const find = (db, id) => ${quotation}\n`);
}

/** A review whose advisor finds exactly these, all on one line. */
async function review(place: Place, claims: readonly Claim[], ...flags: readonly string[]) {
  const issues = claims
    .map(
      ({ severity, title }) =>
        `### ${severity}\n\n1. ${title}\n   \`a.js:2\`\n\n   \`\`\`js\n   export const find = (db, id) => ${quotation}\n   \`\`\`\n\n   Why: it is.\n`,
    )
    .join('\n');
  const answer = `[RESPONSE:REVIEW]\n\n## STRENGTHS\n- x\n\n## ISSUES\n${issues}\n\n## SUGGESTIONS\nNone\n`;
  place.write(
    '../script.yaml',
    stringify({ agent: { name: 'Codex' }, turns: [{ answer, repeat: 'forever' }] }),
  );
  const args = ['--advisor', 'rehearsal:../script.yaml', '--no-cache', '--report', 'json=../result.json'];
  return place.collab(['review', ...args, ...flags]);
}

test.for([
  ['the same claim, worse', minor, { ...minor, severity: 'Critical' }],
  ['another claim', minor, critical],
  ['another claim of the next severity', minor, { ...critical, severity: 'Important' }],
  ['a worse claim than an Important one', { ...minor, severity: 'Important' }, critical],
] as const)(
  'a baseline covers its own severity: %s counts',
  patient,
  async ([, before, after], { place, expect }) => {
    begin(place);
    expect((await review(place, [before], '--fail-on', 'minor')).code).toBe(1);
    place.write('baseline.json', place.read('../result.json'));
    const known = ['--baseline', 'baseline.json', '--fail-on', 'important'];
    expect((await review(place, [before], ...known)).code).toBe(0);
    const { code, stdout } = await review(place, [after], ...known);
    expect([code, /^clean/m.test(stdout), stdout.includes(after.title)]).toEqual([1, false, true]);
  },
);

test('both at once: the known one is known, the worse one counts', patient, async ({ place, expect }) => {
  begin(place);
  await review(place, [minor], '--fail-on', 'minor');
  place.write('baseline.json', place.read('../result.json'));
  const { code, stdout } = await review(place, [critical, minor], '--baseline', 'baseline.json');
  expect([code, stdout]).toEqual([1, expect.stringContaining(critical.title)]);
});

test('a suppression by title covers its own finding', patient, async ({ place, expect }) => {
  begin(place);
  const suppress = (title: string, more = '') =>
    place.write(
      'collab.suppressions.yaml',
      `suppressions:\n  - path: a.js\n    title: ${title}\n    reason: known\n    expires: 2099-01-01\n${more}`,
    );
  suppress(minor.title);
  const flags = ['--suppressions', 'collab.suppressions.yaml', '--fail-on', 'minor'];
  expect((await review(place, [minor], ...flags)).code).toBe(0);
  expect((await review(place, [critical], ...flags)).code).toBe(1);
  expect((await review(place, [critical, minor], ...flags)).code).toBe(1);
});

test(
  'a suppression by identity covers neither a worse severity nor another claim',
  patient,
  async ({ place, expect }) => {
    begin(place);
    await review(place, [minor], '--fail-on', 'minor');
    const { findings } = resultSchema.parse(JSON.parse(place.read('../result.json')));
    place.write(
      'collab.suppressions.yaml',
      `suppressions:\n  - identity: ${findings[0]?.identity}\n    reason: known\n    expires: 2099-01-01\n`,
    );
    const flags = ['--suppressions', 'collab.suppressions.yaml', '--fail-on', 'minor'];
    const first = await review(place, [minor], ...flags);
    const worse = await review(place, [critical], ...flags);
    expect([
      first.code === 0 || first.code === 2,
      worse.code === 1 || worse.code === 2,
      /^clean/m.test(worse.stdout),
    ]).toEqual([true, true, false]);
  },
);

test(
  'a finding without place and severity is printed and never clean',
  patient,
  async ({ place, expect }) => {
    begin(place);
    const answer =
      '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- x\n\n## ISSUES\n- The id is put into the statement as it is.\n\n## SUGGESTIONS\nNone\n';
    place.write(
      '../script.yaml',
      stringify({ agent: { name: 'Codex' }, turns: [{ answer, repeat: 'forever' }] }),
    );
    const { code, stdout } = await place.collab([
      'review',
      '--advisor',
      'rehearsal:../script.yaml',
      '--no-cache',
    ]);
    expect([/^clean/m.test(stdout), stdout.includes('The id is put into the statement')]).toEqual([
      false,
      true,
    ]);
    expect(stdout).toContain('without a severity of its own');
    expect(code).not.toBe(3);
  },
);
