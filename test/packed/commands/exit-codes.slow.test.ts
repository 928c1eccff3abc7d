/**
 * Each row of the table of outcomes through the installed command. 10, "needs an answer", is not among them: a review without a lead asks no questions.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { z } from 'zod';
import { example, test, type Place } from '../place.ts';
import { writeQuietChange } from '../quiet-change.ts';
import { until } from '../started-command.ts';

interface Row {
  readonly script: string;
  readonly flags?: readonly string[];
  readonly code: number;
  readonly outcome: string;
  /** The code of the first reason. */
  readonly reason: string;
  readonly findings?: readonly string[];
  /** Default: the change in which rules find nothing. */
  readonly change?: string;
}

/** Findings of rules in examples/checkout.diff. */
const found = ['critical', 'important', 'minor'].flatMap((severity, index) =>
  Array<string>([8, 9, 1][index] ?? 0).fill(severity),
);

const rows: Readonly<Record<string, Row>> = {
  'everything settled without a finding': {
    script: 'pattern-1',
    code: 0,
    outcome: 'clean',
    reason: 'no_findings',
  },
  'everything settled without a finding, but rules found secrets and faults': {
    script: 'pattern-1',
    change: example('checkout.diff'),
    code: 1,
    outcome: 'findings',
    reason: 'findings_at_threshold',
    findings: found,
  },
  'the same change, and the agent died': {
    script: 'died',
    change: example('checkout.diff'),
    code: 4,
    outcome: 'failed',
    reason: 'agent_died',
    findings: found,
  },
  'findings below --fail-on': {
    script: 'graded-shipping',
    code: 0,
    outcome: 'findings',
    reason: 'findings_below_threshold',
    findings: ['important', 'minor'],
  },
  'a finding at --fail-on': {
    script: 'graded-shipping',
    flags: ['--fail-on', 'important'],
    code: 1,
    outcome: 'findings',
    reason: 'findings_at_threshold',
    findings: ['important', 'minor'],
  },
  'findings above --fail-on, with never': {
    script: 'graded-shipping',
    flags: ['--fail-on', 'never'],
    code: 0,
    outcome: 'findings',
    reason: 'findings_below_threshold',
    findings: ['important', 'minor'],
  },
  'one exchange settled with a Critical finding, others did not': {
    script: 'half-shipping',
    code: 3,
    outcome: 'incomplete',
    reason: 'protocol_exhausted',
    findings: ['critical'],
  },
  'the same with --fail-on never, which changes 1 into 0 and nothing else': {
    script: 'half-shipping',
    flags: ['--fail-on', 'never'],
    code: 3,
    outcome: 'incomplete',
    reason: 'protocol_exhausted',
    findings: ['critical'],
  },
  'none settled: the rungs of the protocol ran out': {
    script: 'prose',
    code: 3,
    outcome: 'incomplete',
    reason: 'protocol_exhausted',
  },
  'none settled: the time of the run was over': {
    script: 'never',
    flags: ['--time-limit', '300ms'],
    code: 3,
    outcome: 'incomplete',
    reason: 'time_spent',
  },
  'some settled until the budget of calls was spent': {
    script: 'pattern-1',
    flags: ['--budget-calls', '1'],
    code: 3,
    outcome: 'incomplete',
    reason: 'budget_spent',
  },
  'none settled: the agent died': { script: 'died', code: 4, outcome: 'failed', reason: 'agent_died' },
  'none settled: the agent refused the model': {
    script: 'refused',
    code: 4,
    outcome: 'failed',
    reason: 'agent_model',
  },
  'none settled: the agent stayed overloaded': {
    script: 'overloaded',
    code: 4,
    outcome: 'failed',
    reason: 'agent_overloaded',
  },
  'none settled: no connection to the model': {
    script: 'unreachable',
    code: 4,
    outcome: 'failed',
    reason: 'agent_unreachable',
  },
  'none settled: the model sent no byte': {
    script: 'silent',
    code: 3,
    outcome: 'incomplete',
    reason: 'agent_silent',
  },
};

const resultSchema = z.object({
  outcome: z.string(),
  exit_code: z.int(),
  reasons: z.array(z.string()),
  findings: z.array(z.object({ severity: z.string() })),
});

describe.concurrent('outcome and exit code', () => {
  test.for(Object.entries(rows))('%s', async ([, row], { place, expect }) => {
    settings(place);
    const advisor = place.rehearsal(row.script);
    const flags = [...(row.flags ?? []), '--report', 'json=result.json'];
    const { code, stdout } = await place.collab([
      'review',
      row.change ?? writeQuietChange(place),
      '--advisor',
      advisor,
      ...flags,
    ]);
    const result = resultSchema.parse(JSON.parse(place.read('result.json')));
    expect({
      code,
      exit: result.exit_code,
      outcome: result.outcome,
      reason: result.reasons[0]?.split(':')[0],
      findings: result.findings.map(({ severity }) => severity),
    }).toEqual({
      code: row.code,
      exit: row.code,
      outcome: row.outcome,
      reason: row.reason,
      findings: row.findings ?? [],
    });
    expect(stdout).toMatch(new RegExp(`^${row.outcome} — `, 'm'));
    for (const severity of row.findings ?? [])
      expect(stdout).toMatch(new RegExp(`^\\S+:\\d+: ${severity}: `, 'm'));
  });

  test('bad arguments start nothing: exit 2', async ({ place, expect }) => {
    const { code } = await place.collab(['review', 'nowhere.diff']);
    expect({ code, left: place.names() }).toEqual({ code: 2, left: [] });
  });

  test('X000-8.2 without an agent and with CI set it fails, unless static checks are allowed', async ({
    place,
    expect,
  }) => {
    const harmless = ['review', example('harmless.diff')];
    const refused = await place.collab(harmless, { env: { CI: '1' } });
    expect(refused).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'collab: Codex is not installed: there is no `codex` on PATH.\n' +
        '  npm install --global @openai/codex; or accept static checks: --allow-static\n',
    });
    expect(place.names()).toEqual([]);
    const allowed = await place.collab([...harmless, '--allow-static'], { env: { CI: '1' } });
    expect({ code: allowed.code, outcome: firstWord(allowed.stdout) }).toEqual({
      code: 3,
      outcome: 'incomplete',
    });
  });

  test('without an agent elsewhere: static checks alone are incomplete, with what to install', async ({
    place,
    expect,
  }) => {
    const { code, stdout, stderr } = await place.collab(['review', example('harmless.diff')]);
    expect({ code, outcome: firstWord(stdout) }).toEqual({ code: 3, outcome: 'incomplete' });
    expect(stderr).toContain('npm install --global @openai/codex');
    expect(stdout).toMatch(
      /no model looked: no agent was found, and static checks alone found nothing\s+that counts/,
    );
  });

  test('requested static checks may end clean', async ({ place, expect }) => {
    const args = ['review', example('harmless.diff'), '--advisor', 'static_review'];
    const { code, stdout } = await place.collab(args);
    expect({ code, outcome: firstWord(stdout) }).toEqual({ code: 0, outcome: 'clean' });
    expect(stdout).toContain('  static checks only, no model looked\n');
  });

  test('our own fault, here an unreadable record, is a failure', async ({ place, expect }) => {
    await place.collab(['review', example('harmless.diff'), '--advisor', 'static_review']);
    const run = place.lastRun();
    const journal = join(run, 'journal.jsonl');
    const [first = '', ...rest] = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, [first, 'not a record', ...rest].join('\n'));
    const { code, stdout, stderr } = await place.collab(['resume']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(journal);
  });

  test('a wait that ends while the run continues: exit 11', async ({ place, expect }) => {
    const advisor = place.rehearsal('never');
    const begun = await place.collab([...review, '--advisor', advisor, '--detach']);
    expect(begun.code).toBe(0);
    const waited = await place.collab(['wait', '--timeout', '300ms']);
    const { run } = z.object({ run: z.string() }).parse(JSON.parse(begun.stdout));
    expect(waited).toEqual({
      code: 11,
      stdout: `${run} is still running; wait again: collab wait ${run} --timeout 9m\n`,
      stderr: '',
    });
    await place.collab(['cancel']);
  });

  test.for([
    ['SIGINT', 'kill', 130],
    ['SIGINT', 'killGroup', 130],
    ['SIGTERM', 'kill', 143],
    ['SIGTERM', 'killGroup', 143],
    ['SIGHUP', 'kill', 129],
    ['SIGHUP', 'killGroup', 129],
  ] as const)(
    '%s by %s: exit %i, and the run is left to be resumed',
    async ([signal, how, code], { place, expect }) => {
      const advisor = place.rehearsal('never');
      const started = place.start([...review, '--advisor', advisor]);
      await until('a call', () => readdirSync(join(place.folder, 'rehearsal')).includes('calls.log'));
      started[how](signal);
      const ended = await started.ended;
      const run = place.runs()[0]?.split('/').at(-1);
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
      expect(ended.stderr).toMatch(new RegExp(`\ninterrupted; continue it: collab resume ${run}\n$`));
    },
  );
});

const review = ['review', example('checkout.diff')];

function settings(place: Place): void {
  place.write('collab.config.yaml', 'chunk_tokens: 700\nwaits: [1ms]\n');
}

/** The outcome line. */
function firstWord(report: string): string | undefined {
  return /^(\w+) — /m.exec(report)?.[1];
}
