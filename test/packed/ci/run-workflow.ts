/**
 * Runs the jobs of a written workflow as a runner does: each in folders and an environment of its own, with what the workflow
 * gives it and nothing else. Actions are played; each `run` is a script of bash.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { execa } from 'execa';
import { parse } from 'yaml';
import { z } from 'zod';

const stepSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
  'continue-on-error': z.boolean().optional(),
});
type Step = z.infer<typeof stepSchema>;
const jobSchema = z.strictObject({
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  if: z.string().optional(),
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  concurrency: z.unknown().optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  outputs: z.record(z.string(), z.string()).optional(),
  steps: z.array(stepSchema),
});
const workflowSchema = z.looseObject({
  permissions: z.strictObject({}),
  jobs: z.record(z.string(), jobSchema),
});

export interface WorkflowOptions {
  /** The text of the workflow's file. */
  readonly workflow: string;
  readonly event: object;
  readonly secrets: Readonly<Record<string, string>>;
  readonly token: string;
  /** The repository that jobs check out. */
  readonly origin: string;
  /** An empty folder for the folders of the jobs. */
  readonly root: string;
  /** The variables of the runner itself. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RanStep {
  readonly name: string;
  readonly exitCode: number;
  readonly output: string;
  /** The secrets that were in its environment, by the names of their variables. */
  readonly secrets: readonly string[];
}

export interface RanJob {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, string>>;
  /** The named steps with a script. */
  readonly steps: readonly RanStep[];
  readonly folder: string;
}

/** Runs the jobs in the order of the file, in which each one is below its needs. */
export async function runWorkflow(options: WorkflowOptions): Promise<Readonly<Record<string, RanJob>>> {
  const { jobs } = workflowSchema.parse(parse(options.workflow));
  const done: Record<string, RanJob> = {};
  for (const [name, job] of Object.entries(jobs)) {
    const needs = Object.fromEntries([job.needs ?? []].flat().map((need) => [need, done[need]]));
    const isFine = Object.values(needs).every((need) => need?.result === 'success');
    const context = contextOf(options, { needs });
    const isNamed = /\b(?:always|cancelled)\(/.test(job.if ?? '');
    const isWanted = (isFine || isNamed) && (job.if === undefined || isTrue(job.if, context));
    const folder = join(options.root, name);
    const skipped = {
      result: 'skipped',
      outputs: {},
      steps: [],
      permissions: job.permissions,
      folder,
    } as const;
    done[name] = isWanted ? await runJob(options, job, { folder, needs }) : skipped;
  }
  return done;
}

interface JobPlace {
  readonly folder: string;
  readonly needs: Readonly<Record<string, unknown>>;
}

async function runJob(
  options: WorkflowOptions,
  job: z.infer<typeof jobSchema>,
  { folder, needs }: JobPlace,
): Promise<RanJob> {
  const place = { workspace: join(folder, 'workspace'), temporary: join(folder, 'temporary') };
  for (const path of [...Object.values(place), join(folder, 'home')]) mkdirSync(path, { recursive: true });
  const stepOutputs: Record<string, object> = {};
  const ran: RanStep[] = [];
  let isFailed = false;
  for (const [index, step] of job.steps.entries()) {
    const context = contextOf(options, {
      needs,
      steps: stepOutputs,
      runner: { temp: place.temporary },
      always: () => true,
    });
    const isAlways = step.if === 'always()';
    if (isFailed && !isAlways) continue;
    if (step.if !== undefined && !isTrue(step.if, context)) continue;
    const output = join(place.temporary, `output-${index}`);
    const one = await runStep(options, step, { ...place, folder, output, context });
    if (step.name !== undefined && step.run !== undefined) ran.push(one);
    if (step.id !== undefined) stepOutputs[step.id] = { outputs: readOutputs(output) };
    if (one.exitCode !== 0 && step['continue-on-error'] !== true) isFailed = true;
  }
  const context = contextOf(options, { needs, steps: stepOutputs });
  const outputs = Object.fromEntries(
    Object.entries(job.outputs ?? {}).map(([key, value]) => [key, fill(value, context)]),
  );
  const { permissions } = job;
  return { result: isFailed ? 'failure' : 'success', outputs, permissions, steps: ran, folder };
}

interface StepPlace {
  readonly workspace: string;
  readonly temporary: string;
  readonly folder: string;
  readonly output: string;
  readonly context: object;
}

async function runStep(options: WorkflowOptions, step: Step, place: StepPlace): Promise<RanStep> {
  const { context } = place;
  const fields = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(String(value), context)]),
  );
  if (step.uses !== undefined)
    return { ...empty, exitCode: await playAction(options, { uses: step.uses, fields, place }) };
  const script = step.run ?? '';
  if (script.includes('${{')) throw new Error(`an expression in a script: ${script}`);
  const own = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value, context)]),
  );
  const file = join(place.folder, 'step.sh');
  writeFileSync(file, script);
  const { exitCode, all } = await execa('bash', ['-e', file], {
    cwd: place.workspace,
    env: {
      ...options.env,
      CI: 'true',
      HOME: join(place.folder, 'home'),
      RUNNER_TEMP: place.temporary,
      GITHUB_OUTPUT: place.output,
      ...own,
    },
    extendEnv: false,
    reject: false,
    all: true,
  });
  const known = [...Object.values(options.secrets), options.token];
  const secrets = Object.keys(own).filter((key) => known.includes(own[key] ?? ''));
  return { name: step.name ?? '', exitCode: exitCode ?? -1, output: all, secrets };
}

const empty: RanStep = { name: '', exitCode: 0, output: '', secrets: [] };

interface PlayedAction {
  readonly uses: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly place: StepPlace;
}

async function playAction(options: WorkflowOptions, { uses, fields, place }: PlayedAction): Promise<number> {
  const { workspace } = place;
  const shelf = join(options.root, 'artifacts', fields['name'] ?? '');
  switch (uses) {
    case 'actions/setup-node@v4':
      return 0;
    case 'actions/checkout@v4': {
      if (fields['persist-credentials'] !== 'false') throw new Error('the token would stay in the checkout');
      const git = (...args: readonly string[]) => execa('git', args, { cwd: workspace });
      await git('clone', '--quiet', '--no-checkout', options.origin, '.');
      await git('checkout', '--quiet', '--detach', fields['ref'] ?? '');
      return 0;
    }
    case 'actions/upload-artifact@v4': {
      const path = fields['path'] ?? '';
      if (!existsSync(path)) return 0;
      mkdirSync(shelf, { recursive: true });
      cpSync(path, join(shelf, basename(path)));
      return 0;
    }
    case 'actions/download-artifact@v4':
      if (!existsSync(shelf)) return 1;
      cpSync(shelf, fields['path'] ?? workspace, { recursive: true });
      return 0;
    default:
      throw new Error(`an unknown action: ${uses}`);
  }
}

const startsWith = (text: string, start: string): boolean => text.startsWith(start);

function contextOf({ event, secrets, token }: WorkflowOptions, more: object): object {
  const github = { event, token, repository: 'shop/till' };
  return { github, secrets, steps: {}, startsWith, cancelled: () => false, always: () => true, ...more };
}

function isTrue(expression: string, context: object): boolean {
  return Boolean(evaluate(expression, context));
}

function fill(text: string, context: object): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const value = evaluate(expression, context);
    return valueSchema.parse(value)?.toString() ?? '';
  });
}

const valueSchema = z.union([z.string(), z.number(), z.boolean()]).nullish();

/** Expressions of GitHub that the workflows use are ones of JavaScript, too. */
function evaluate(expression: string, context: object): unknown {
  const value: unknown = runInNewContext(expression.trim(), context);
  return value;
}

function readOutputs(file: string): Readonly<Record<string, string>> {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
