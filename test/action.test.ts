/** Checks the action's and the workflows' files without running them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ciWorkflow, commentsWorkflow } from '../src/cli/setup/ci-workflows.ts';
import { version } from '../src/version.ts';

const repository = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const step = z.looseObject({
  run: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});

describe.each(['action.yml', 'publish/action.yml'])('%s', (path) => {
  const text = read(path);

  test('is valid by the schema of actions', () => {
    expect(validateAction(text).errors).toEqual([]);
  });

  test('passes inputs by environment, never inside a script, and uses each of them', () => {
    const { inputs, runs } = z
      .looseObject({
        inputs: z.record(z.string(), z.unknown()),
        runs: z.looseObject({ steps: z.array(step.extend({ env: z.record(z.string(), z.string()) })) }),
      })
      .parse(parse(text));
    for (const { run } of runs.steps) expect(run).not.toContain('${{');
    const given = runs.steps.flatMap(({ env }) => Object.values(env)).join('\n');
    for (const name of Object.keys(inputs)) expect(given).toContain(`inputs.${name} `);
  });
});

test('the action and the GitLab job use the Codex version that the tests run against', () => {
  const { dependencies } = z
    .looseObject({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('test/agents/package.json')));
  const codex = dependencies['@openai/codex'];
  expect(read('action/install.mjs')).toContain(`const testedCodex = '${codex}';`);
  expect(read('examples/ci/gitlab-ci.yml')).toContain(`@openai/codex@${codex} codex-collab@${version}`);
});

const workflows: Readonly<Record<string, string>> = {
  'what collab init writes': ciWorkflow,
  'what collab init writes for comments': commentsWorkflow,
  ...filesOf('.github/workflows'),
  ...filesOf('examples/ci'),
};

test.each(Object.entries(workflows))('the workflow is valid by its schema: %s', (_, text) => {
  expect(validateWorkflow(text).errors).toEqual([]);
});

test.each(Object.entries(workflows))(
  'no script of a workflow contains an expression except the matrix: %s',
  (_, text) => {
    const scripts = stepsOf(text).flatMap(({ run }) => run ?? []);
    expect(scripts.join('\n').replaceAll('${{ matrix.command }}', '')).not.toContain('${{');
  },
);

function stepsOf(text: string) {
  const { jobs } = z
    .looseObject({ jobs: z.record(z.string(), z.looseObject({ steps: z.array(step) })) })
    .parse(parse(text));
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

function filesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(join(repository, folder)).filter((name) => !name.startsWith('gitlab'));
  return Object.fromEntries(names.map((name) => [name, read(`${folder}/${name}`)]));
}

test('references/ci.md shows steps with inputs that the action has', () => {
  const blocks = [...read('references/ci.md').matchAll(/^```yaml\n(- uses:[\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );
  expect(blocks.length).toBeGreaterThan(0);
  const { inputs } = z
    .looseObject({ inputs: z.record(z.string(), z.unknown()) })
    .parse(parse(read('action.yml')));
  for (const block of blocks) {
    const ours = z
      .array(step)
      .parse(parse(block))
      .filter(({ uses = '' }) => uses.startsWith(`OWNER/codex-collab@v${version}`));
    expect(ours).toHaveLength(1);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(ours[0]?.with ?? {})));
  }
});

test('every input of the action is documented', () => {
  const { inputs } = z
    .looseObject({ inputs: z.record(z.string(), z.unknown()) })
    .parse(parse(read('action.yml')));
  for (const name of Object.keys(inputs)) expect(read('references/ci.md')).toContain(`\`${name}\``);
});
