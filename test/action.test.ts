/** What can be said of the action's and the workflows' files without running them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ciWorkflow } from '../src/cli/init-templates.ts';

const repository = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const step = z.looseObject({ run: z.string().optional(), uses: z.string().optional() });

describe('the action', () => {
  const text = read('action.yml');

  test('obeys the schema of actions', () => {
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

  test('takes the Codex that the tests run against', () => {
    const { dependencies } = z
      .looseObject({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('test/agents/package.json')));
    expect(read('action/install.mjs')).toContain(`const testedCodex = '${dependencies['@openai/codex']}';`);
  });
});

const workflows: Readonly<Record<string, string>> = {
  'what collab init writes': ciWorkflow,
  ...Object.fromEntries(filesOf('.github/workflows').map((path) => [path, read(path)])),
};

test.each(Object.entries(workflows))('the workflow obeys its schema: %s', (_, text) => {
  expect(validateWorkflow(text).errors).toEqual([]);
});

test.each(Object.entries(workflows))(
  'no script of a workflow holds an expression but the matrix: %s',
  (_, text) => {
    const { jobs } = z
      .looseObject({ jobs: z.record(z.string(), z.looseObject({ steps: z.array(step) })) })
      .parse(parse(text));
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.join('\n').replaceAll('${{ matrix.command }}', '')).not.toContain('${{');
  },
);

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`);
}
