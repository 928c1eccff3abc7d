/** Runs the steps of a composite action as a runner does: `bash -eo pipefail`, with its environment files. */
import { execa } from 'execa';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readCommands, type WorkflowCommand } from './workflow-commands.ts';

const text = z.record(z.string(), z.string());
const actionSchema = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ default: z.string().optional() })),
  outputs: z.record(z.string(), z.looseObject({ value: z.string() })).default({}),
  runs: z.looseObject({
    using: z.literal('composite'),
    steps: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        shell: z.literal('bash'),
        env: text.default({}),
        run: z.string(),
      }),
    ),
  }),
});

export interface ActionOptions {
  /** The folder of the action; its `action.yml` is run. */
  readonly action: string;
  /** A folder of the runner's own, and the checkout. */
  readonly temporary: string;
  readonly workspace: string;
  readonly path: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event: { readonly name: string; readonly payload: unknown };
  /** `github.token`; empty if the job has none. */
  readonly token: string;
  /** The job's environment: GITHUB_SERVER_URL, GITHUB_REPOSITORY and the test's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Steps that are not run but count as done, with their outputs. */
  readonly done?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface ActionRun {
  /** The exit code of the failed step; 0 if none failed. */
  readonly code: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly log: string;
  /** Lines that the runner would obey as commands. */
  readonly commands: readonly WorkflowCommand[];
}

export async function runAction(options: ActionOptions): Promise<ActionRun> {
  const action = actionSchema.parse(parse(readFileSync(join(options.action, 'action.yml'), 'utf8')));
  const files = createFiles(options);
  const steps: Record<string, { readonly outputs: Readonly<Record<string, string>> }> = Object.fromEntries(
    Object.entries(options.done ?? {}).map(([id, outputs]) => [id, { outputs }]),
  );
  const github = { token: options.token };
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = '' }]) => [
      name,
      options.inputs?.[name] ?? evaluate(value, { github }),
    ]),
  );
  for (const name of Object.keys(options.inputs ?? {})) {
    if (!(name in inputs)) throw new Error(`the action has no input ${name}`);
  }
  let [code, log] = [0, ''];
  let path = options.path;
  for (const step of action.runs.steps) {
    if (options.done?.[step.id] !== undefined) continue;
    const scope = { inputs, steps, github };
    const env = Object.fromEntries(
      Object.entries(step.env).map(([name, value]) => [name, evaluate(value, scope)]),
    );
    const own = files.open(step.id);
    const script = join(files.folder, `${step.id}.sh`);
    writeFileSync(script, step.run);
    const result = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: options.workspace,
      env: {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: options.action,
        GITHUB_WORKSPACE: options.workspace,
        GITHUB_EVENT_NAME: options.event.name,
        GITHUB_EVENT_PATH: files.event,
        RUNNER_TEMP: options.temporary,
        HOME: join(options.temporary, 'home'),
        LANG: 'C.UTF-8',
        ...options.env,
        ...own.variables,
        PATH: path,
        ...env,
      },
      extendEnv: false,
      all: true,
      reject: false,
      stdin: 'ignore',
    });
    log += `${result.all}\n`;
    steps[step.id] = { outputs: readOutputs(own.variables.GITHUB_OUTPUT) };
    path = [...readLines(own.variables.GITHUB_PATH).toReversed(), path].join(delimiter);
    code = result.exitCode ?? 1;
    if (code !== 0) break;
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [
    name,
    evaluate(value, { steps }),
  ]);
  return {
    code,
    outputs: Object.fromEntries(outputs),
    summary: files.summaries(),
    log,
    commands: readCommands(log),
  };
}

function createFiles({ temporary, event }: ActionOptions) {
  const folder = mkdtempSync(join(temporary, 'runner-'));
  mkdirSync(join(temporary, 'home'), { recursive: true });
  const eventFile = join(folder, 'event.json');
  writeFileSync(eventFile, JSON.stringify(event.payload));
  const summaries: string[] = [];
  return {
    folder,
    event: eventFile,
    /** Each step has files of its own; the runner reads them when the step has ended. */
    open(step: string) {
      const file = (name: string) => join(folder, `${step}.${name}`);
      const variables = {
        GITHUB_OUTPUT: file('output'),
        GITHUB_ENV: file('env'),
        GITHUB_PATH: file('path'),
        GITHUB_STATE: file('state'),
        GITHUB_STEP_SUMMARY: file('summary'),
      };
      for (const each of Object.values(variables)) writeFileSync(each, '');
      summaries.push(variables.GITHUB_STEP_SUMMARY);
      return { variables };
    },
    summaries: () => summaries.map((file) => readFileSync(file, 'utf8')).join(''),
  };
}

type Scope = Readonly<Record<string, unknown>>;

/** Evaluates paths such as `inputs.base`, and checks that one is not empty: our actions must not need more. */
function evaluate(template: string, scope: Scope): string {
  return template.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const [path = '', compared] = expression.split(' != ');
    if (!/^[a-z][\w-]*(?:\.[\w-]+)+$/.test(path) || (compared !== undefined && compared !== "''")) {
      throw new Error(`an expression that this runner does not know: ${expression}`);
    }
    const value = lookUp(path, scope);
    return compared === undefined ? value : String(value !== '');
  });
}

function lookUp(path: string, scope: Scope): string {
  let value: unknown = scope;
  for (const key of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  }
  return typeof value === 'string' ? value : '';
}

/** `name=value`, and `name<<END` with everything up to the line END. */
function readOutputs(file: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = readLines(file);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, name = '', end] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (end === undefined) {
      outputs[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
      continue;
    }
    const until = lines.indexOf(end, at + 1);
    if (until < 0) throw new Error(`the output ${name} has no end`);
    outputs[name] = lines.slice(at + 1, until).join('\n');
    at = until;
  }
  return outputs;
}

function readLines(file: string): string[] {
  const content = readFileSync(file, 'utf8');
  return content === '' ? [] : content.replace(/\n$/, '').split('\n');
}
