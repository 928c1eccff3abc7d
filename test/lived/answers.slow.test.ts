/** The tag protocol as the installed command plays it: its requests, its phases, and how it reads what an advisor writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import {
  adviceAnswer,
  cleanReview,
  designAnswer,
  issue,
  leads,
  requirementsAnswer,
  review,
  rounds,
  scriptOf,
} from '../contract/workflow/workflow-script.ts';
import { test, type Place } from '../packed/place.ts';
import { recordsIn } from '../packed/records-in.ts';
import { pair, project } from '../packed/run-project.ts';

const added = ['first', 'second', 'third']
  .map((name, index) => `+export const ${name} = ${index};\n`)
  .join('');
const change = `diff --git a/src/a.ts b/src/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1,3 @@\n${added}`;

const sectionSchema = z.looseObject({ name: z.string(), text: z.string(), state: z.string() });
const resultSchema = z.looseObject({
  outcome: z.string(),
  sections: z.array(sectionSchema).optional(),
  findings: z
    .array(
      z.looseObject({ severity: z.string(), title: z.string(), severity_inferred: z.boolean().optional() }),
    )
    .optional(),
});

const phasesSchema = z.looseObject({
  workflow: z.looseObject({ phases: z.array(z.looseObject({ phase: z.string() })) }),
});

/** Asks in one phase; the answers come in this order. */
async function asked(place: Place, phase: string, ...answers: readonly string[]) {
  const turns = answers.map((answer) => ({ answer }));
  place.write('script.yaml', stringify({ agent: { name: 'Codex' }, turns }));
  place.write('a.diff', change);
  const advisor = ['--advisor', 'rehearsal:script.yaml'];
  const args = phase === 'review' ? ['review', 'a.diff'] : ['consult', phase, '--file', '-'];
  const { code } = await place.collab([...args, ...advisor], { input: 'Is `first` small?' });
  const show = async (...flags: readonly string[]) => (await place.collab(['show', ...flags])).stdout;
  const events = recordsIn(await show('--events'));
  return {
    code,
    prompt: await show('--prompt', '1'),
    result: resultSchema.parse(JSON.parse(await show('--json'))),
    rejected: events.filter(({ type }) => type === 'exchange.rejected'),
    sent: events.filter(({ type }) => type === 'exchange.sent'),
  };
}

test('R001-2 the installed protocol is the same, byte for byte, in the references and in the skill', ({
  place,
  expect,
}) => {
  const [one, other] = ['references', 'skills/codex-collab/references'].map((folder) =>
    readFileSync(join(place.packageFolder, folder, 'protocol.md')),
  );
  expect(one?.equals(other ?? Buffer.of())).toBe(true);
});

describe.concurrent('a request', () => {
  test.for([
    ['R001-3.1 R001-8 a question', 'requirements', '[CONSULT:REQUIREMENTS]', requirementsAnswer],
    ['R001-4 R001-9 a question', 'design', '[CONSULT:DESIGN]', designAnswer],
    ['R001-7 R001-10 a question', 'implementation', '[CONSULT:IMPLEMENTATION]', adviceAnswer],
    ['R001-11.1 X001-2.1 X001-16.2 a change', 'review', '[REQUEST:REVIEW]', cleanReview],
  ] as const)(
    '%s of the phase %s has its tag and names the sections of its one answer, in order',
    async ([, phase, tag, answer], { place, expect }) => {
      const { code, prompt, sent, rejected } = await asked(place, phase, answer);
      expect([code, sent.length, rejected]).toEqual([0, 1, []]);
      expect(prompt).toContain(tag);
      expect(prompt).toContain(answer.slice(0, answer.indexOf('\n')));
      const names = [...answer.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
      const places = names.map((name) => prompt.lastIndexOf(`## ${name}`));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((left, right) => left - right));
    },
  );
});

const sections = ['ASSESSMENT', 'RISKS', 'ALTERNATIVES', 'RECOMMENDATION'] as const;
const text = { ASSESSMENT: 'Sound.', RISKS: 'None', ALTERNATIVES: 'なし', RECOMMENDATION: 'Keep `first`.' };
const headed = (head: (name: string, index: number) => string) =>
  `[RESPONSE:DESIGN]\n\n${sections.map((name, index) => `${head(name, index)}\n\n${text[name]}\n`).join('\n')}`;

describe.concurrent('an answer', () => {
  test.for([
    ['X001-2.2 of headings of the sixth level', headed((name) => `###### ${name}`)],
    ['X001-2.2 of underlined headings', headed((name) => `${name}\n------`)],
    ['X001-2.3 of names in bold', headed((name) => `**${name}**`)],
    ['X001-2.3 of names with a colon', headed((name) => `${name}:`)],
    [
      'X001-2.4 of numbers, signs and remarks',
      headed((name, index) => `## ${index + 1}. 🔎 ${name} (in short):`),
    ],
    ['X001-2.5 of names in small letters', headed((name) => `## ${name.toLowerCase()}`)],
    [
      'X001-2.6 with other headings in a section',
      headed((name) => `## ${name}`).replace('Sound.', 'Sound.\n\n### Risks\n\nnested'),
    ],
    [
      'X001-1.3 with a marker in small letters',
      headed((name) => `## ${name}`).replace('[RESPONSE:DESIGN]', '[response: design]'),
    ],
    ['X001-16.1 in another language', headed((name) => `## ${name}`).replace('Sound.', '設計は健全です。')],
  ] as const)('%s is read whole after one request', async ([, answer], { place, expect }) => {
    const { code, result, sent } = await asked(place, 'design', answer);
    expect([code, sent.length, result.sections?.map(({ name }) => name)]).toEqual([0, 1, sections]);
    expect(result.sections?.map(({ state }) => state)).toEqual(['filled', 'empty', 'empty', 'filled']);
    expect(result.sections?.[3]?.text).toBe('Keep `first`.');
  });

  test('X001-4.1 X001-6.1 with a blank section is asked for it, and its order does not matter', async ({
    place,
    expect,
  }) => {
    const order = ['RECOMMENDATION', 'ALTERNATIVES', 'RISKS', 'ASSESSMENT'] as const;
    const answer = order.map((name) => `## ${name}\n\n${name === 'RISKS' ? ' ' : text[name]}\n`).join('\n');
    const { code, result, rejected } = await asked(
      place,
      'design',
      `[RESPONSE:DESIGN]\n\n${answer}`,
      '[RESPONSE:DESIGN]\n\n## RISKS\n\nOne.\n',
    );
    expect([code, rejected.length]).toEqual([0, 1]);
    expect(result.sections?.map(({ name, text: written }) => [name, written])).toEqual(
      sections.map((name) => [name, name === 'RISKS' ? 'One.' : text[name]]),
    );
  });

  test('X001-5.1,2 X001-6.2 of two blocks is its last whole one, with the parts of a section joined', async ({
    place,
    expect,
  }) => {
    const last = headed((name) => `## ${name}`);
    const draft = last.replace('Sound.', 'A draft.');
    const { result, sent } = await asked(place, 'design', `${draft}\n${last}\n## RISKS\n\nAnd one more.\n`);
    expect([sent.length, result.sections?.map(({ text: written }) => written)]).toEqual([
      1,
      ['Sound.', 'None\n\nAnd one more.', 'なし', 'Keep `first`.'],
    ]);
  });

  test('X001-5.3 of another phase is about something else', async ({ place, expect }) => {
    const { code, rejected } = await asked(place, 'design', requirementsAnswer, designAnswer);
    expect([code, rejected.map(({ reason }) => reason)]).toEqual([0, ['irrelevant']]);
  });

  test('X001-5.4 of two reviews, the last one without a finding, is asked for again and never clean', async ({
    place,
    expect,
  }) => {
    const found = review('### Critical\n\n1. **`first` is wrong** — `src/a.ts`\n   Why: it is.\n');
    const { code, rejected, result } = await asked(place, 'review', `${found}\n${cleanReview}`, found);
    expect([code, rejected.length, result.outcome]).toEqual([1, 1, 'findings']);
  });

  test('R001-12 R001-11.2 X001-3 has findings in three severities, however they are written', async ({
    place,
    expect,
  }) => {
    const issues = [
      '### 🔴 Critical (Must Fix Before Merge)\n\n1. **one** — `src/a.ts`\n   Why: it is wrong.\n',
      '**Important**: two in `src/a.ts`\n',
      '- [Minor] three in `src/a.ts`\n',
    ];
    const { result } = await asked(place, 'review', review(issues.join('\n')));
    expect(
      result.findings?.map(({ severity, title }) => `${severity}: ${title.split(' ')[0]}`).toSorted(),
    ).toEqual(['critical: one', 'important: two', 'minor: three']);
    const table = '| Severity | Issue |\n| --- | --- |\n| Minor | four in `src/a.ts` |\n';
    const inTable = await asked(place, 'review', review(`### Minor\n\n${table}`));
    expect(inTable.result.findings?.map(({ severity }) => severity)).toEqual(['minor']);
    const bare = await asked(place, 'review', review('- five is wrong in `src/a.ts`\n'));
    expect(bare.result.findings).toMatchObject([{ severity: 'important', severity_inferred: true }]);
  });
});

test('R001-1 R001-6 X001-12.1-3 a run goes through the four phases, the lead opens each, and a critical finding leads back to the implementation', async ({
  place,
  expect,
}) => {
  project(place);
  const script = scriptOf(rounds(1, 'export const one = 0;\n'), rounds(2, 'export const one = 1;\n'), {
    when: { tag: '[REQUEST:REVIEW]' },
    answer: review(issue('Critical', 'one is not one', 'export const one = 0;')),
  });
  const { code, stderr } = await place.collab(['run', 'Write one.', ...pair(place, script), '--yes']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { workflow } = phasesSchema.parse(JSON.parse((await place.collab(['show', '--json'])).stdout));
  expect(workflow.phases.map(({ phase }) => phase)).toEqual([
    'requirements',
    'design',
    'implementation',
    'review',
    'implementation',
    'review',
  ]);
  const events = recordsIn((await place.collab(['show', '--events'])).stdout);
  expect(events.flatMap(({ type, tag }) => (type === 'exchange.sent' ? [tag] : []))).toEqual([
    '[CONSULT:REQUIREMENTS]',
    '[CONSULT:DESIGN]',
    '[REQUEST:REVIEW]',
    '[REQUEST:REVIEW]',
  ]);
  expect(stderr).toMatch(/Claude Code[^]*Codex/);
});

test('X001-17.1 X001-3.2 the tag of a request is found in the text of the lead, and one of no phase is refused', async ({
  place,
  expect,
}) => {
  project(place);
  const script = scriptOf(
    leads({ work: 'draft', phase: 'design' }, 'I thought about it.\n\n[CONSULT:REVIEW]\n\nIs it sound?\n'),
    leads({ work: 'draft', phase: 'design' }, 'So.\n\n## [CONSULT:DESIGN]\n\nIs `one` sound?\n'),
  );
  const args = ['run', 'Write one.', ...pair(place, script), '--yes', '--phases', 'design'];
  const { code, stderr } = await place.collab(args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const events = recordsIn((await place.collab(['show', '--events'])).stdout);
  expect(events.flatMap(({ type, tag }) => (type === 'exchange.sent' ? [tag] : []))).toEqual([
    '[CONSULT:DESIGN]',
  ]);
});
