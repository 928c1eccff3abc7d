/**
 * Makes the throw-away project of `collab demo`. It is in the run's own folder, with a copy of the script: the user's
 * tree is not touched, a resumed run finds both unchanged, and `collab clean` removes them with the run.
 */
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { gitWords, runGit, type GitEnvironment } from '../../git/repository/run-git.ts';
import { jailPath } from '../../providers/rehearsal/edit-path.ts';
import type { LoadedScript } from '../../providers/rehearsal/read-script.ts';
import type { Script, ScriptedProject } from '../../providers/rehearsal/script.ts';

export interface DemoProject {
  /** A git repository with one commit. */
  readonly folder: string;
  readonly task: string;
  /** The script of both agents, relative to the project. */
  readonly script: string;
}

export interface DemoOptions {
  readonly runFolder: string;
  readonly loaded: LoadedScript;
  readonly project: ScriptedProject;
  /** False: the agents answer without a pause. */
  readonly pauses: boolean;
  readonly env: GitEnvironment;
  readonly signal: AbortSignal;
}

/** @throws CollabError `input` for a file outside the project, or if git is missing */
export async function makeDemoProject(options: DemoOptions): Promise<DemoProject> {
  const folder = join(options.runFolder, 'project');
  makeFolder(folder);
  for (const [path, text] of Object.entries(options.project.files)) writeInto(folder, path, text);
  writeAtomically(join(options.runFolder, scriptName), stringify(asPlayed(options)));
  await commitAll(folder, options);
  return { folder, task: options.project.task, script: `../${scriptName}` };
}

const scriptName = 'demo.yaml';

function writeInto(folder: string, path: string, text: string): void {
  const place = jailPath(folder, path);
  if ('refusal' in place) {
    throw new CollabError('input', `project.files of the script: ${place.refusal}`, {
      hint: 'Name files relative to the project.',
      details: { path },
    });
  }
  makeFolder(dirname(place.file));
  writeAtomically(place.file, text, { shared: true, synced: false });
}

/** Returns the script as one file, with the answers that were in separate files. */
function asPlayed({ loaded: { script, folder }, pauses }: DemoOptions): Script {
  const turns = script.turns.map(({ answer_file: _file, ...turn }) => ({
    ...turn,
    ...(pauses ? {} : { delay_ms: 0, edit_delay_ms: 0 }),
  }));
  const log = script.call_log;
  return { ...script, turns, ...(log === undefined ? {} : { call_log: join(folder, log) }) };
}

async function commitAll(folder: string, { env, signal }: DemoOptions): Promise<void> {
  const calls = [
    ['init', '--quiet', '--template='],
    ['symbolic-ref', 'HEAD', 'refs/heads/main'],
    ['add', '--all'],
    [
      ...identity.flatMap((setting) => ['-c', setting]),
      'commit',
      '--quiet',
      '--allow-empty',
      '--message',
      'the project of the demo',
    ],
  ];
  for (const args of calls) {
    const result = await runGit({ args, cwd: folder, env, signal, variables: {}, repositoryRoot: folder });
    if (result.exitCode === 0) continue;
    throw new CollabError('internal', `git cannot create the demo's project: ${gitWords(result)}`);
  }
}

const identity = ['user.name=collab demo', 'user.email=demo@example.org', 'commit.gpgsign=false'];
