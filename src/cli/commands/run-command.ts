/** `collab run`: takes a task through the phases, with the lead and the advisor as a pair. */
import { addDisplayFlags } from '../flags/go-on-flags.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { nearest } from '../../text/nearest.ts';
import { phases, type Phase } from '../../tags/tags.ts';
import { presentStart } from '../driving/present-start.ts';
import { addRemoteFlags, priorityOption } from '../engine/remote-flags.ts';
import { formatOption } from '../flags/format-option.ts';
import { reviewRoundsOption } from '../flags/review-rounds-option.ts';
import { addConfigurationFlags, addSettingFlags, NamedOption } from '../flags/setting-flags.ts';
import { runLine, type RunFlags } from '../flags/start-lines.ts';
import type { Program } from '../program.ts';

const examples = `
Examples:
  collab run "add rate limits to the login"
  collab run --task-file task.md --yes --apply       asks no questions; applies the result to your files
  collab run "a plan for the new cache" --phases requirements,design
  collab run "fix the totals" --lead claude_code --advisor codex --max-review-rounds 2
  collab run "fix the totals" --yes --remote         then collab apply <run> --remote, in this repository

The lead works in a copy, on the branch collab/<run>; your own files do not change until collab apply <run>.

At a gate, the run asks you at the terminal; elsewhere it ends with 10 and continues with: collab answer <run> --file -

Exit codes: 0 clean, below --fail-on, or complete without a review, 1 findings, 2 usage, 3 incomplete, 4 failed,
10 waiting for an answer, 11 still running, 130 interrupted
`;

export function addRunCommand({ root, run }: Program): void {
  const command = root
    .command('run')
    .description('work on a task as a pair: requirements, design, implementation, review')
    .argument('[task]', 'the task, in plain words')
    .addOption(
      new NamedOption('task_file', '--task-file <file>', 'read the task from a file; - reads standard input'),
    )
    .option('--phases <list>', 'run only these phases, e.g. requirements,design', takesPhases)
    .option('-y, --yes', 'accept every gate; the lead states assumptions')
    .addOption(reviewRoundsOption())
    .option('--skill <folder>', "use your own skill instead of the package's")
    .option('--apply', 'apply the result to your own files at the end');
  addSettingFlags(command, 'run').addOption(formatOption());
  addRemoteFlags(command, 'let a worker drive it, through the database').addOption(priorityOption());
  addDisplayFlags(addConfigurationFlags(command), 'also show hidden errors of the agents')
    .addHelpText('after', examples)
    .action((task: string | undefined, flags: RunFlags) => {
      const line = runLine(task, flags);
      run((session, defaults) => presentStart(session, line, defaults), line);
    });
}

/** Returns the phases in the fixed order, whatever their order in the flag. */
function takesPhases(text: string): readonly Phase[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !phases.some((phase) => phase === name));
  if (unknown !== undefined) {
    const near = nearest(unknown, phases);
    throw new CollabError('usage', `--phases: there is no phase "${unknown}"`, {
      hint: near === null ? `the phases are ${phases.join(', ')}` : `did you mean ${near}?`,
    });
  }
  return phases.filter((phase) => names.includes(phase));
}
