import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { phases } from '../../tags/tags.ts';
import { loadSkill } from './skill-folder.ts';
import { skillSchema } from './skill.ts';

const ownSkill = resolve(import.meta.dirname, '../../../skills/codex-collab');

const good: Readonly<Record<string, string>> = {
  'SKILL.md': '---\nname: two-steps\ndescription: Two steps only.\n---\n\n# Two steps\n',
  'workflow.yaml': `phases:
  - phase: design
    template: design.md
    sections:
      - name: SECURITY
        asks: say who could misuse it
  - phase: implementation
    template: parts/do.md
`,
  'design.md': 'Draw it.\n',
  'parts/do.md': 'Do it.\n',
};

function skillFolder(files: Readonly<Record<string, string | null>> = {}): string {
  const folder = join(scratchFolder(), 'two-steps');
  for (const [path, content] of Object.entries({ ...good, ...files })) {
    if (content === null) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** The faults of a folder, without its own path. */
async function faultsOf(folder: string): Promise<readonly string[]> {
  const error = await refusalOf(loadSkill(folder));
  expect(error).toMatchObject({ code: 'config' });
  return error.message
    .split('\n')
    .slice(1)
    .map((line) => line.replace(`${folder}/`, ''));
}

test('the package’s own skill has the four phases in order, each with a template', async () => {
  const skill = await loadSkill(null);
  expect(skill.name).toBe('codex-collab');
  expect(skill.phases.map(({ phase }) => phase)).toEqual(phases);
  expect(skill.phases.map(({ template }) => template.split('\n')[0])).toEqual([
    '# Requirements',
    '# Design',
    '# Implementation',
    '# Review',
  ]);
  expect(skill.limits).toEqual({ consults: 5, review_rounds: 3 });
  expect(skill).toEqual(await loadSkill(ownSkill));
});

test("a user's skill can have other templates, additional sections and fewer phases", async () => {
  const skill = await loadSkill(skillFolder());
  expect(skillSchema.parse(skill)).toEqual({
    name: 'two-steps',
    phases: [
      {
        phase: 'design',
        template: 'Draw it.\n',
        sections: [{ name: 'SECURITY', asks: 'say who could misuse it' }],
      },
      { phase: 'implementation', template: 'Do it.\n', sections: [] },
    ],
    limits: { consults: 5, review_rounds: 3 },
  });
});

test("the author sets each limit separately", async () => {
  const flow = `${good['workflow.yaml']}limits: { consults: 0 }\n`;
  const { limits } = await loadSkill(skillFolder({ 'workflow.yaml': flow }));
  expect(limits).toEqual({ consults: 0, review_rounds: 3 });
});

test('all faults of a folder are reported together, each with its place and the nearest valid word', async () => {
  const folder = skillFolder({
    'SKILL.md': '---\nname: two-stairs\n---\n',
    'workflow.yaml': `phases:
  - phase: review
    template: reveiw.md
    section: []
  - phase: desing
    template: ../secret.md
  - phase: requirements
    template: design.md
    sections:
      - name: Security
        asks: say who
      - name: RISK
        asks: say it again
      - name: RISK
        asks: |
          two
          lines
limits: { consults: many, reviews: 3 }
`,
    'review.md': 'Review it.\n',
  });
  expect(await faultsOf(folder)).toEqual([
    'SKILL.md:2:1: description: is missing',
    'workflow.yaml:2:12: phases.0.phase: review without implementation has no change to look at (Add the implementation, or run collab review)',
    'workflow.yaml:4:5: unknown key phases.0.section (Did you mean sections?)',
    'workflow.yaml:5:12: phases.1.phase: must be requirements, design, implementation or review (Did you mean design?)',
    'workflow.yaml:7:12: phases.2.phase: requirements is after review (The order is requirements, design, implementation, review)',
    'workflow.yaml:10:15: phases.2.sections.0.name: must be capitals, digits and single underscores, such as DATA_FLOW',
    "workflow.yaml:12:15: phases.2.sections.1.name: RISK is the protocol's own, of [RESPONSE:DESIGN] (Choose another name)",
    'workflow.yaml:14:15: phases.2.sections.2.name: RISK occurs twice (Leave one out)',
    'workflow.yaml:15:15: phases.2.sections.2.asks: must be one line',
    'workflow.yaml:18:21: limits.consults: invalid input: expected number, received string',
    'workflow.yaml:18:27: unknown key limits.reviews (Known here: consults, review_rounds)',
    'workflow.yaml:3:15: phases.0.template: there is no file reveiw.md in the folder (Did you mean review.md?)',
    "workflow.yaml:6:15: phases.1.template: ../secret.md leads out of the skill's folder (Put the template beside workflow.yaml)",
  ]);
});

test.each([
  [
    'a folder of another name',
    { 'SKILL.md': '---\nname: other\ndescription: d\n---\n' },
    'SKILL.md:2:7: name: other is not the name of the folder, two-steps',
  ],
  ['no front matter', { 'SKILL.md': '# Two steps\n' }, 'SKILL.md:1:1: must begin with front matter'],
  ['no SKILL.md', { 'SKILL.md': null }, 'SKILL.md: is missing'],
  ['no workflow', { 'workflow.yaml': null }, 'workflow.yaml: is missing'],
  ['no phases', { 'workflow.yaml': '' }, 'workflow.yaml:1:1: phases: is missing'],
  ['broken YAML', { 'workflow.yaml': 'phases: [\n' }, 'workflow.yaml:2:1: flow sequence in block collection'],
  ['an anchor', { 'workflow.yaml': 'phases: &a []\n' }, 'workflow.yaml:1:12: anchors are not supported'],
  ['an empty template', { 'design.md': ' \n' }, 'workflow.yaml:3:15: phases.0.template: design.md is empty'],
  [
    'a large template',
    { 'design.md': 'x'.repeat(65_537) },
    'workflow.yaml:3:15: phases.0.template: design.md is larger than 64 KiB',
  ],
  [
    'a folder as template',
    { 'design.md': null, 'design.md/a': '' },
    'workflow.yaml:3:15: phases.0.template: design.md is not a regular file; links are not followed',
  ],
  [
    'a section that the answer has inside',
    { 'workflow.yaml': good['workflow.yaml']?.replace('SECURITY', 'CRITICAL') ?? '' },
    'workflow.yaml:5:15: phases.0.sections.0.name: CRITICAL means something else in an answer',
  ],
  [
    'a section that is asked for anyway',
    { 'workflow.yaml': good['workflow.yaml']?.replace('SECURITY', 'RISKS') ?? '' },
    "workflow.yaml:5:15: phases.0.sections.0.name: RISKS is the protocol's own, of [RESPONSE:DESIGN] (It is always requested; leave it out)",
  ],
  [
    'an absolute path',
    { 'workflow.yaml': good['workflow.yaml']?.replace('design.md', '/etc/hosts') ?? '' },
    "workflow.yaml:3:15: phases.0.template: /etc/hosts leads out of the skill's folder",
  ],
])('%s is refused', async (_, files, expected) => {
  const faults = await faultsOf(skillFolder(files));
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(expected);
});

test('a repeated phase is refused', async () => {
  const twice = good['workflow.yaml']?.replace('phase: implementation', 'phase: design') ?? '';
  expect(await faultsOf(skillFolder({ 'workflow.yaml': twice }))).toEqual([
    'workflow.yaml:7:12: phases.1.phase: design occurs twice (Leave one out)',
  ]);
});

describe.skipIf(process.platform === 'win32')('no link in the folder is followed', () => {
  test.each([
    ['SKILL.md', 'SKILL.md'],
    ['workflow.yaml', 'workflow.yaml'],
    ['design.md', 'workflow.yaml:3:15: phases.0.template: design.md'],
  ])('as %s, to a file outside or inside', async (name, where) => {
    for (const kept of [join(scratchFolder(), 'kept'), 'kept']) {
      const folder = skillFolder();
      renameSync(join(folder, name), resolve(folder, kept));
      symlinkSync(kept, join(folder, name));
      expect(await faultsOf(folder)).toEqual([`${where}${where === name ? ':' : ''} is not a regular file; links are not followed`]);
    }
  });

  test('on the way to a template', async () => {
    const workflow = good['workflow.yaml']?.replace('design.md', 'texts/design.md') ?? '';
    const folder = skillFolder({ 'workflow.yaml': workflow, 'design.md': null, 'kept/design.md': 'Design it.' });
    symlinkSync('kept', join(folder, 'texts'));
    expect(await faultsOf(folder)).toEqual([
      'workflow.yaml:3:15: phases.0.template: texts/design.md is not a regular file; links are not followed',
    ]);
  });
});

test('the folder itself may be a link, and keeps the name that it was requested by', async () => {
  const folder = skillFolder();
  const linked = join(scratchFolder(), basename(folder));
  symlinkSync(folder, linked);
  expect((await loadSkill(linked)).name).toBe('two-steps');
});

test('a missing folder is named', async () => {
  const folder = skillFolder();
  rmSync(folder, { recursive: true });
  expect(await refusalOf(loadSkill(folder))).toMatchObject({
    code: 'config',
    message: `the skill folder ${folder} does not exist`,
  });
});

test("a copy of the package's skill works as a user's skill", async () => {
  const copy = join(scratchFolder(), 'codex-collab');
  cpSync(ownSkill, copy, { recursive: true });
  expect(await loadSkill(copy)).toEqual(await loadSkill(null));
});
