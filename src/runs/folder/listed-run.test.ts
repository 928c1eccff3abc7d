import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { countedBySeverity, describeAnyListed, describeFacts, describeListed } from './listed-run.ts';
import {
  consultInput,
  consultResult,
  fixInput,
  reviewInput,
  savedRun,
  workflowInput,
} from './saved-runs.test-helper.ts';

const found = [
  finding({ id: 'F1', severity: 'critical' }),
  finding({ id: 'F2', severity: 'important' }),
  finding({ id: 'F3', severity: 'important' }),
  finding({ id: 'F4', severity: 'minor', verdict: 'rejected' }),
  finding({ id: 'F5', severity: 'minor', outside_change: true }),
];

test('a review that has ended shows what counts in it, its time, its cost and its agents', async () => {
  const result = report({ findings: found, cost_usd: 0.5 });
  const run = savedRun(scratchFolder(), 'r1', reviewInput(), result);
  expect(await describeListed(run)).toEqual({
    run: 'r1',
    kind: 'review',
    state: 'ended',
    outcome: 'findings',
    findings: { critical: 1, important: 2, minor: 0 },
    started_at: result.started_at,
    ended_at: result.ended_at,
    tokens: 30,
    cost_usd: 0.5,
    lead: null,
    advisor: { provider: 'codex', model: 'gpt-5-codex' },
    subject: 'a diff from standard input',
  });
});

test('a run that has not ended shows its agents and its start, and no outcome', () => {
  const result = report({ state: 'running', findings: found });
  const facts = { runId: 'r1', state: 'running', result, input: workflowInput() };
  const nothingYet = { outcome: null, findings: null, ended_at: null, tokens: null, cost_usd: null };
  expect(describeFacts(facts)).toMatchObject({ kind: 'run', state: 'running', ...nothingYet });
  expect(describeFacts({ ...facts, result: null })).toMatchObject({
    started_at: '2026-11-21T09:30:00.000Z',
    lead: { provider: 'claude_code', model: null },
    advisor: { provider: 'codex', model: 'gpt-5-codex' },
    subject: 'Round once.',
  });
});

test('a consult has no findings, and its phase is part of its subject', () => {
  const facts = { runId: 'c1', state: 'ended', result: consultResult(), input: consultInput() };
  expect(describeFacts(facts)).toMatchObject({
    kind: 'consult',
    outcome: 'settled',
    findings: null,
    subject: 'design: Is it sound?',
  });
  expect(countedBySeverity(consultResult())).toBeNull();
});

test('a fix is one, with its task as its subject', () => {
  const input = fixInput({ run: 'r0', findings: [finding()] }, { task: 'Fix F1 of r0' });
  expect(describeFacts({ runId: 'r1', state: 'interrupted', result: null, input })).toMatchObject({
    kind: 'fix',
    subject: 'Fix F1 of r0',
  });
});

test('a run without a readable input is described by its result alone', () => {
  expect(describeFacts({ runId: 'r1', state: 'ended', result: report(), input: null })).toMatchObject({
    kind: null,
    subject: null,
    outcome: 'findings',
    advisor: { provider: 'codex' },
  });
  expect(describeFacts({ runId: 'r1', state: 'ended', result: null, input: null })).toMatchObject({
    started_at: null,
    advisor: null,
    lead: null,
  });
});

test('a list also shows a run that cannot be read, with its subject if there is one', async () => {
  const home = scratchFolder();
  const [damaged, whole] = ['r1', 'r2'].map((id) => savedRun(home, id, reviewInput(), report()));
  if (damaged === undefined || whole === undefined) throw new Error('not made');
  writeFileSync(join(damaged.path, 'result.json'), '{"schema":"collab.review/v9"}');
  expect(await describeAnyListed(damaged)).toMatchObject({
    run: 'r1',
    state: 'unreadable',
    outcome: null,
    findings: null,
    subject: 'a diff from standard input',
  });
  writeFileSync(join(damaged.path, 'input.json'), '{}');
  expect(await describeAnyListed(damaged)).toMatchObject({ state: 'unreadable', subject: null });
  expect(await describeAnyListed(whole)).toEqual(await describeListed(whole));
});
