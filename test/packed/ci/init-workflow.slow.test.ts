/** The commands of the workflow that `collab init --ci` writes, on the packed command: from a change to its comments. */
import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import { z } from 'zod';
import { startGithubPull } from '../../forge/github-pull.ts';
import { test } from '../place.ts';

const workflowSchema = z.looseObject({
  jobs: z.record(
    z.string(),
    z.looseObject({
      steps: z.array(z.looseObject({ name: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

test(
  'the review of a job becomes a comment on the line of the pull request, by the commands of the next job',
  { timeout: 180_000 },
  async ({ place, expect, onTestFinished }) => {
    place.git('init', '--quiet');
    place.write('src/till.ts', 'export const price = 1;\n');
    place.git('add', '--all');
    place.git('commit', '--quiet', '--message', 'base');
    const base = place.git('rev-parse', 'HEAD').trim();
    place.write('src/till.ts', 'export const price = 1;\nexport const total = eval(String(price));\n');
    place.git('commit', '--quiet', '--all', '--message', 'head');
    const head = place.git('rev-parse', 'HEAD').trim();
    const pull = await startGithubPull({ head, diff: place.git('diff', `${base}...${head}`) });
    onTestFinished(() => pull.close());
    const { stdout: said } = await place.collab(['init', '--ci']);
    const written = (name: string) => workflowSchema.parse(parse(place.read(`.github/workflows/${name}`)));
    const { jobs } = written('collab.yml');
    const comments = written('collab-comments.yml');
    const files = ['collab.yml', 'collab-comments.yml'].map((name) =>
      place.read(`.github/workflows/${name}`),
    );
    const secrets = files.flatMap((text) => [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name));
    expect(new Set([...said.matchAll(/gh secret set (\w+)/g)].map(([, name]) => name))).toEqual(
      new Set(secrets),
    );

    const programs = join(place.folder, '..', 'programs');
    const temporary = join(place.folder, '..', 'temporary');
    const empty = join(place.folder, '..', 'empty');
    for (const folder of [programs, temporary, empty]) mkdirSync(folder);
    symlinkSync(place.command, join(programs, 'collab'));
    const env = {
      ...place.environment,
      ...pull.env,
      PATH: [programs, process.env['PATH']].join(delimiter),
      CI: 'true',
      BASE: base,
      RUNNER_TEMP: temporary,
      PULL_REQUEST: `${pull.url}/shop/till/pull/7`,
    };
    const runStep = async (
      job: string,
      name: string,
      cwd: string,
      more = '',
      workflow = { jobs },
      others = {},
    ) => {
      const script = workflow.jobs[job]?.steps.find((step) => step.name === name)?.run ?? 'exit 9';
      const options = { cwd, env: { ...env, ...others }, extendEnv: false, reject: false, timeout: 60_000 };
      const { exitCode, stdout } = await execa('bash', ['-c', `${script.trim()}${more}`], options);
      return { exitCode, stdout };
    };

    // The job has a model; here, rules look.
    expect(await runStep('review', 'Review', place.folder, ' --advisor static_review')).toMatchObject({
      exitCode: 1,
    });
    expect(await runStep('review', 'Show the review', place.folder)).toMatchObject({
      stdout: expect.stringContaining('src/till.ts'),
    });
    renameSync(join(temporary, 'review.json'), join(empty, 'review.json'));
    expect(await runStep('publish', 'Publish', empty)).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^shop\/till#7, round 1: 1 comment posted/),
    });
    expect(pull.threads()).toMatchObject([{ path: 'src/till.ts', line: 2, commit: head }]);

    const output = join(temporary, 'output');
    const command = async (body: string) => {
      const COMMENT = String(pull.say(body));
      return runStep('command', 'Command', empty, '', comments, { COMMENT, GITHUB_OUTPUT: output });
    };
    expect(await command('/collab dismiss 1 input is ours')).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('answered: F1 is not dismissed: it is Critical'),
    });
    expect(await command('/collab review')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(output, 'utf8')).toBe(`action=review\nbase=${'1'.repeat(40)}\nhead=${head}\n`);
  },
);
