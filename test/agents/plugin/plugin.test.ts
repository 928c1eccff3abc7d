/** The plugin in the real Claude Code: a raw clone, the skill's own steps, the documented allow rule and nothing else. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { Deferred } from '../../../src/system/deferred.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { readRunInput } from '../../../src/runs/folder/run-input.ts';
import type { MessagesScript, MessageStep } from '../../upstream/messages-steps.ts';
import { inOrder } from '../../upstream/steps.ts';
import { codexBin } from '../codex/codex-user.ts';
import { claudeProgram, createPluginWorld, type PluginWorld } from './plugin-user.ts';

/** The one rule that SKILL.md and README name. */
const documentedRule = 'Bash(collab *)';
const root = join(import.meta.dirname, '../../..');
const skills = ['codex-collab', 'claude-collab'];

let plugin: PluginWorld;

beforeAll(async () => {
  plugin = await createPluginWorld();
});

afterAll(async () => {
  await plugin.close();
});

test('claude plugin validate --strict and skills-ref validate succeed', () => {
  const validated = spawnSync(claudeProgram, ['plugin', 'validate', root, '--strict'], {
    env: { ...plugin.world.env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    encoding: 'utf8',
  });
  expect(validated).toMatchObject({ status: 0, stdout: expect.stringContaining('Validation passed') });
  for (const skill of skills) {
    const folder = join(root, 'skills', skill);
    expect(spawnSync(join(codexBin, 'skills-ref'), ['validate', folder], { encoding: 'utf8' })).toMatchObject(
      { status: 0 },
    );
  }
});

test.each(['path', 'npx'] as const)('a raw clone finds collab through %s', async (through) => {
  expect(existsSync(join(plugin.plugin, 'node_modules')) || existsSync(join(plugin.plugin, 'dist'))).toBe(
    false,
  );
  expect(await plugin.cloned(through, '--version')).toEqual({ code: 0, stdout: packageJson.version });
});

test(
  'the steps of the skill run to their end, and the documented rule alone permits them all',
  { timeout: 180_000 },
  async () => {
    const released = new Deferred<void>();
    const before = plugin.claudeModel.requests.length;
    const advised = plugin.codexModel.requests.length;
    plugin.codexModel.play(
      inOrder({ text: asksBack }, { text: requirements }, { gate: released.promise, text: cleanReview }),
    );
    const session = await plugin.claude({
      through: 'npx',
      allow: [documentedRule],
      script: steps(
        { tools: [{ name: 'Skill', input: { skill: 'collab:codex-collab' } }] },
        bash(`collab consult requirements --file - <<'BRIEF'\n${brief}\nBRIEF`),
        (run) => bash(`collab answer ${run} --file - <<'ANSWER'\n${context}\nANSWER`),
        bash('collab review --detach'),
        (run) => bash(`collab wait ${run} --timeout 1s`),
        (run) => {
          released.resolve();
          return bash(`collab wait ${run} --timeout 9m`);
        },
        (run) => bash(`collab show ${run} --as-prompt`),
        { text: 'Done.' },
      ),
    });
    const { code, plugins, toolResults, denied } = session;
    expect({ code, denied }).toEqual({ code: 0, denied: [] });
    expect(plugins).toContain('collab@inline');
    expect(session.skills).toEqual(expect.arrayContaining(skills.map((skill) => `collab:${skill}`)));
    const [opening, loaded] = plugin.claudeModel.requests.slice(before).map(({ text }) => text);
    expect(opening).toContain('- collab:codex-collab: ');
    expect(opening).not.toContain('Working with Codex through collab');
    expect(loaded).toContain('# Working with Codex through collab');

    const [, consulted, answered, begun, waited, settled, shown] = toolResults.map(({ text }) => text);
    expect(consulted).toMatch(/^Exit code 10\n[^]*What does src\/total\.ts hold\?/);
    expect(answered).toContain('1. In which currency is the total?');
    expect(begun).toContain('collab wait ');
    expect(waited).toMatch(/^Exit code 11\n/);
    expect(settled).toContain('clean — no findings');
    expect(shown).not.toMatch(/^Exit code/);

    const [first = '', second = ''] = plugin.runs();
    expect(readRunInput(first)).toMatchObject({ kind: 'consult', brief: `${brief}\n` });
    expect(typesOf(first)).toEqual(
      expect.arrayContaining(['question.asked', 'question.answered', 'run.ended']),
    );
    expect(readRunInput(second)).toMatchObject({ kind: 'review' });
    expect(typesOf(second).at(-1)).toBe('run.ended');
    const reviewing = plugin.codexModel.requests.slice(advised);
    expect(reviewing.map(({ text }) => text.includes('export const total = 2;'))).toEqual([
      false,
      true,
      true,
    ]);
  },
);

test('without the rule nothing runs, and the rule permits no more than plain collab commands', async () => {
  const refused = await plugin.claude({
    through: 'path',
    allow: [],
    script: steps(bash('collab runs'), { text: 'Done.' }),
  });
  expect(refused.denied).toEqual(['collab runs']);
  const more = ['collab runs && touch made', 'collab runs > made', 'touch made'];
  const ruled = await plugin.claude({
    through: 'path',
    allow: [documentedRule],
    script: steps(bash('collab runs'), ...more.map(bash), { text: 'Done.' }),
  });
  expect(ruled.denied).toEqual(more);
  expect(existsSync(join(plugin.project, 'made'))).toBe(false);
});

test('the real codex lists only the skill that is for it: from the plugin, and from the folder of collab init', async ({
  onTestFinished,
}) => {
  const codex = (...args: readonly string[]): string =>
    execFileSync(join(codexBin, 'codex'), [...args], {
      cwd: plugin.project,
      env: { ...plugin.world.env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  expect(codex('debug', 'prompt-input')).not.toContain('codex-collab');
  onTestFinished(() => {
    execFileSync('git', ['clean', '-fdq', '.claude', '.agents'], { cwd: plugin.project });
  });
  expect(await plugin.cloned('npx', 'init')).toMatchObject({ code: 0 });
  expect(skillsIn(codex('debug', 'prompt-input'))).toEqual(['claude-collab']);

  codex('plugin', 'marketplace', 'add', plugin.plugin);
  codex('plugin', 'add', 'collab@codex-collab');
  expect(skillsIn(codex('debug', 'prompt-input'))).toEqual(['claude-collab', 'collab:claude-collab']);
  expect(readFileSync(join(plugin.project, '.claude/skills/codex-collab/SKILL.md'), 'utf8')).toContain(
    documentedRule,
  );
});

/** The skills with our name that a request to the model lists. */
function skillsIn(request: string): readonly string[] {
  return [...request.matchAll(/- ((?:collab:)?[\w-]+): [^\n]*?\(file: /g)]
    .flatMap(([, name = '']) => (name.includes('collab') ? name : []))
    .toSorted();
}

const brief = 'The total in `src/total.ts` is wrong: "$(2)" isn\'t right; `one` is.';
const asksBack = '[CONSULT:CLAUDE:CONTEXT]\n\nWhat does src/total.ts hold?';
const context = '[RESPONSE:CLAUDE:CONTEXT]\n\n## CONTEXT\nexport const total = 2;';
const requirements = `[RESPONSE:REQUIREMENTS]

## CLARIFICATION_QUESTIONS
1. In which currency is the total?

## CONSIDERATIONS
None
`;
const cleanReview = `[RESPONSE:REVIEW]

## STRENGTHS
Short.

## ISSUES
None

## SUGGESTIONS
None
`;

function bash(command: string): MessageStep {
  const input = { command, description: 'a step of the skill', timeout: 600_000 };
  return { tools: [{ name: 'Bash', input }] };
}

/** One step per request; the last one repeats. A step may need the run that the previous command named. */
function steps(...planned: readonly (MessageStep | ((run: string) => MessageStep))[]): MessagesScript {
  let next = 0;
  return ({ text }) => {
    const step = planned[Math.min(next, planned.length - 1)];
    next += 1;
    if (step === undefined) throw new Error('a script needs at least one step');
    return typeof step === 'function' ? step(lastRunIn(text)) : step;
  };
}

function lastRunIn(text: string): string {
  const run = text.match(/\d{8}-\d{6}-[a-z0-9]{4}/g)?.at(-1);
  if (run === undefined) throw new Error('no command has named a run yet');
  return run;
}

function typesOf(run: string): readonly string[] {
  return readJournal(journalFile(run)).events.map(({ type }) => type);
}
