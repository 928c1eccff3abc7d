import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/parsers/answers/read-answer.ts';
import { renderRequest } from '../../src/prompts/render-request.ts';
import { loadSkill } from '../../src/prompts/skills/skill-folder.ts';
import { exchangeSpecOf } from '../../src/tags/tags.ts';
import { refusalOf } from '../fixtures/refusal-of.ts';
import { scratchFolder } from '../fixtures/scratch-repository.ts';

const page = readFileSync(join(import.meta.dirname, '../../references/skills.md'), 'utf8');

/** Writes each block of the page that follows a line or heading with a file name. */
function writeSkillOfPage(change: (file: string, text: string) => string = (_, text) => text): string {
  const folder = scratchFolder();
  const files = [
    ...page.matchAll(/`(secure-change\/[\w.-]+)`:?\n\n(?:(?!```|^#)[^]*?)?```\w+\n([^]*?)```\n/gm),
  ];
  expect(files.map(([, file]) => file)).toEqual([
    'secure-change/SKILL.md',
    'secure-change/workflow.yaml',
    'secure-change/design.md',
    'secure-change/implementation.md',
  ]);
  for (const [, file = '', text = ''] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), change(file, text));
  }
  return join(folder, 'secure-change');
}

test('the skill of the page is a skill, and its section is requested and required', async () => {
  const skill = await loadSkill(writeSkillOfPage());
  expect(skill.name).toBe('secure-change');
  expect(skill.phases.map(({ phase }) => phase)).toEqual(['design', 'implementation']);
  expect(skill.limits).toEqual({ consults: 3, review_rounds: 3 });
  const added = skill.phases[0]?.sections ?? [];
  expect(added.map(({ name }) => name)).toEqual(['MISUSE']);

  const spec = exchangeSpecOf('[CONSULT:DESIGN]');
  const sections = [...spec.sections, ...added];
  const request = {
    tag: spec.request,
    question: 'Is it sound?',
    sections,
    required: [],
    optional: [],
    change: null,
    language: null,
  };
  const { text } = renderRequest(request, { budgetCharacters: null, nonce: '0123456789abcdef' });
  expect(text).toContain('- In `## MISUSE`, say who could misuse this, how, and what it would cost us.');
  const answer = `${spec.answer}\n${spec.sections.map(({ name }) => `## ${name}\nYes.\n`).join('')}`;
  expect(
    readAnswer(
      answer,
      spec.answer,
      sections.map(({ name }) => name),
    ),
  ).toMatchObject({
    kind: 'incomplete',
    missing: ['MISUSE'],
  });
});

test('the page shows the error message for its mistakes', async () => {
  const folder = writeSkillOfPage((file, text) =>
    file.endsWith('workflow.yaml')
      ? text
          .replace('    sections:', '    section:')
          .replace(
            '  - phase: implementation\n    template: implementation.md',
            '  - phase: implementation\n    template: implementaton.md',
          )
      : text,
  );
  const { message } = await refusalOf(loadSkill(folder));
  const told = message.replaceAll(`${dirname(folder)}/`, '');
  const shown = /```\ncollab: ([^]*?)\n```/.exec(page)?.[1];
  expect(told).toBe(shown);
});

test('the table of keys names every key of a workflow', async () => {
  const folder = writeSkillOfPage((file, text) =>
    file.endsWith('workflow.yaml') ? 'x: 1\nphases: [{ y: 1 }]\nlimits: { zzzzzz: 1 }\n' : text,
  );
  const { message } = await refusalOf(loadSkill(folder));
  const known = [...message.matchAll(/Known here: ([\w, ]+)/g)].map(([, keys]) => keys);
  expect(known).toEqual(['phases, limits', 'phase, template, sections', 'consults, review_rounds']);
  for (const key of ['phase', 'template', 'sections']) expect(page).toContain(`\`phases[].${key}`);
  for (const key of ['consults', 'review_rounds']) expect(page).toContain(`\`limits.${key}\``);
});
