/** The script of the GitLab job as a runner runs it, without a login: it ends with 4, and the merge request shows why. */
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { parse } from 'yaml';
import { example, test } from '../place.ts';

const jobSchema = z.looseObject({
  'collab-review': z.looseObject({
    variables: z.record(z.string(), z.union([z.string(), z.number()])),
    script: z.array(z.string()),
    artifacts: z.looseObject({ reports: z.looseObject({ codequality: z.string() }) }),
  }),
});

test('without a login the job is red, and Code Quality has a blocker', async ({ place, expect }) => {
  const { script, variables, artifacts } = jobSchema.parse(
    parse(readFileSync(example('ci/gitlab-ci.yml'), 'utf8')),
  )['collab-review'];
  place.git('init', '--quiet');
  place.write('a.txt', 'one\n');
  place.git('add', '--all');
  place.git('commit', '--quiet', '--message', 'base');
  place.write('a.txt', 'two\n');
  place.git('commit', '--quiet', '--all', '--message', '$(touch pwned)');
  const bin = place.environment['PATH'] ?? '';
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync(place.command, join(bin, 'collab'));
  const installed = join(bin, 'installed');
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$PWD $*" >'${installed}'\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  const file = join(bin, 'job.sh');
  writeFileSync(file, script.join('\n'));
  const commit = (name: string) => place.git('rev-parse', name).trim();
  const { exitCode, stderr } = await execa('/bin/bash', ['-eo', 'pipefail', file], {
    cwd: place.folder,
    env: {
      ...place.environment,
      CI: 'true',
      COLLAB_HOME: String(variables['COLLAB_HOME']).replace(/\$.*/, join(bin, 'home')),
      CI_MERGE_REQUEST_DIFF_BASE_SHA: commit('HEAD~1'),
      CI_COMMIT_SHA: commit('HEAD'),
    },
    extendEnv: false,
    reject: false,
  });
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('Codex is not installed'),
  });
  expect(readFileSync(installed, 'utf8')).toMatch(/^\/ install --global --ignore-scripts @openai\/codex@/);
  expect(JSON.parse(place.read(artifacts.reports.codequality))).toMatchObject([{ severity: 'blocker' }]);
  expect(place.names().toSorted()).toEqual([
    '.git',
    'a.txt',
    'gl-code-quality-report.json',
    'review.json',
    'review.md',
  ]);
});
