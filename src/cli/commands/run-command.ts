/** `collab run`: takes a task through the phases, with the lead and the advisor as a pair. */
import { Option } from 'commander';
import { most, reportFormats } from '../../config/settings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { nearest } from '../../text/nearest.ts';
import { phases, severities, type Phase } from '../../tags/tags.ts';
import { presentStart } from '../driving/present-start.ts';
import { addBudgetFlags } from '../flags/budget-flags.ts';
import { takesCount, takesDuration } from '../flags/flag-values.ts';
import { advisorsHelp, leadsHelp } from '../flags/provider-help.ts';
import { collectReport, configFromHelp } from '../flags/review-flags.ts';
import { runLine, type RunFlags } from '../flags/start-lines.ts';
import type { Program } from '../program.ts';

const examples = `
Examples:
  collab run "add rate limits to the login"
  collab run --task-file task.md --yes --apply       nobody is asked; the result is brought into your files
  collab run "a plan for the new cache" --phases requirements,design
  collab run "fix the totals" --lead claude_code --advisor codex --max-review-rounds 2

The lead works in a copy, on the branch collab/<run>; your own files stay as they are until collab apply <run>.

At a gate it asks you at the terminal; elsewhere it ends with 10, and goes on with: collab answer <run> --file -

Exit codes: 0 clean, below --fail-on, or through without a review, 1 findings, 2 usage, 3 incomplete, 4 failed, 10 it asks,
11 still running, 130 interrupted
`;

export function addRunCommand({ root, run }: Program): void {
  const command = root
    .command('run')
    .description('work on a task as a pair: requirements, design, implementation, review')
    .argument('[task]', 'what shall be done, in your words')
    .option('--task-file <file>', 'read the task from a file; - reads standard input')
    .option('--phases <list>', 'only these phases, e.g. requirements,design', takesPhases)
    .option('-y, --yes', 'accept every gate; the lead answers open questions by stated assumptions')
    .option(
      '--max-review-rounds <n>',
      'reviews until the run gives up',
      takesCount('--max-review-rounds', most.reviewRounds),
    )
    .option('--skill <folder>', "a skill of your own instead of the package's")
    .option('--apply', 'bring the result into your own files at the end')
    .option(
      '--lead <provider[:model]>',
      `who leads: caller, ${leadsHelp}; a bare model plans and changes no file`,
    )
    .option('--advisor <provider[:model]>', `who advises: ${advisorsHelp}`)
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 at this grade or worse').choices([...severities, 'never']),
    )
    .addOption(new Option('--format <format>', 'what goes to standard output').choices(reportFormats))
    .option('--report <format=file>', 'write a report besides; repeatable', collectReport)
    .option('--instructions <file>', "the project's own review instructions; without it: REVIEW.md")
    .option('--language <tag>', 'the language of both agents, e.g. ja')
    .option('--time-limit <duration>', 'for the whole run, e.g. 2h', takesDuration('--time-limit'))
    .option(
      '--concurrency <n>',
      'exchanges of the review at a time',
      takesCount('--concurrency', most.concurrency),
    )
    .option('--config <file>', 'a configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .option('--detach', 'go on in the background; prints one JSON line')
    .option('--verbose', 'tell hidden errors of the agents too')
    .option('--ascii', 'no emoji');
  addBudgetFlags(command)
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
