/** Creates the project of a demo and drives its run like any other. */
import { join, resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { packageFolder } from '../../system/package-folder.ts';
import { loadSkill } from '../../prompts/skills/skill-folder.ts';
import { readScript, type LoadedScript } from '../../providers/rehearsal/read-script.ts';
import type { ScriptedProject } from '../../providers/rehearsal/script.ts';
import { demoInput } from '../../runs/demo/demo-input.ts';
import { makeDemoProject } from '../../runs/demo/demo-project.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { createRun } from '../../runs/start/create-run.ts';
import type { DemoFlags } from '../commands/demo-command.ts';
import { closingWords } from './demo-words.ts';
import { presentHere } from '../driving/present-here.ts';
import { engineOf } from '../engine/engine-of.ts';
import { exitCodes } from '../exit-code.ts';
import type { Session } from '../session.ts';

export async function demo(session: Session, flags: DemoFlags): Promise<number> {
  const found = await prepare(session, flags);
  const code = await presentHere(session, found, flags);
  if (ended.includes(code))
    await printWords(session, closingWords(found.runId, await (await engineOf(session)).records(found)));
  return code;
}

/** A terminal breaks lines anywhere; a pipe gets them whole. */
async function printWords({ out, screen }: Session, text: string): Promise<void> {
  if (!screen.interactive.out) return out(text);
  const { wrapItemsToWidth } = await import('../../text/display-width.ts');
  out(wrapItemsToWidth(text, screen.columns).join('\n'));
}

const ended: readonly number[] = [
  exitCodes.passed,
  exitCodes.findings,
  exitCodes.incomplete,
  exitCodes.failed,
];

/** Reports faults of the script before there is a run. */
async function prepare(session: Session, flags: DemoFlags): Promise<OpenedRun> {
  const shipped = join(packageFolder(), 'examples/demo.yaml');
  const loaded = await readDemo(flags.script === undefined ? shipped : resolve(session.cwd, flags.script));
  const project = loaded.script.project ?? (await shippedProject(shipped));
  const skill = await loadSkill(null);
  const { env, signal, clock } = session;
  const { pauses } = flags;
  const { cwd } = session;
  return createRun(
    async ({ path: runFolder }) => {
      const made = await makeDemoProject({ runFolder, loaded, project, pauses, env, signal });
      return demoInput({ ...made, skill, startedAt: new Date(clock.now()).toISOString() });
    },
    { home: collabHome(session), cwd, clock },
  );
}

async function shippedProject(path: string): Promise<ScriptedProject> {
  const { script } = await readDemo(path);
  return script.project ?? { task: 'Rehearse.', files: {} };
}

/** A faulty script is faulty input here, not an agent that cannot run. */
async function readDemo(path: string): Promise<LoadedScript> {
  try {
    return await readScript(path);
  } catch (error) {
    if (!(error instanceof CollabError) || error.code !== 'options') throw error;
    throw new CollabError('input', error.message, {
      hint: error.hint ?? '',
      details: { path },
      cause: error,
    });
  }
}
