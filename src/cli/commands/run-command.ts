/** `collab run`: takes a task through the phases, with the lead and the advisor as a pair. */
import { Option, type Command } from 'commander';
import { reportFormats } from '../../config/settings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { nearest } from '../../text/nearest.ts';
import { phases, severities, type Phase } from '../../tags/tags.ts';
import { addBudgetFlags } from '../flags/budget-flags.ts';
import { takesCount, takesDuration } from '../flags/flag-values.ts';
import { beginHere } from '../driving/begin-here.ts';
import type { Program } from '../program.ts';
import { collectReport, configFromHelp, type ReviewFlags } from '../flags/review-flags.ts';
import type { Session } from '../session.ts';
import { advisorsHelp, leadsHelp } from '../flags/provider-help.ts';

interface RunFlags extends ReviewFlags {
  readonly taskFile?: string;
  readonly phases?: readonly Phase[];
  readonly yes?: boolean;
  readonly maxReviewRounds?: number;
  readonly skill?: string;
  readonly apply?: boolean;
}

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

/** Bytes of a task: far above what people write. */
const mostTaskBytes = 256 * 1024;

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
      takesCount('--max-review-rounds', 20),
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
    .option('--concurrency <n>', 'exchanges of the review at a time', takesCount('--concurrency', 64))
    .option('--config <file>', 'a configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .option('--detach', 'go on in the background; prints one JSON line')
    .option('--verbose', 'tell hidden errors of the agents too')
    .option('--ascii', 'no emoji');
  addBudgetFlags(command)
    .addHelpText('after', examples)
    .action((task: string | undefined, flags: RunFlags, parsed: Command) => {
      run((session) => work(session, task, flags), parsed);
    });
}

async function work(session: Session, words: string | undefined, flags: RunFlags): Promise<number> {
  const { driveOrDetach, followLimit } = await import('../driving/drive-or-detach.ts');
  // Reports a wrong setting before anything starts.
  followLimit(session);
  const { prepareWorkflow } = await import('../../runs/workflow/prepare.ts');
  const { mergeSettings } = await import('../flags/review-settings.ts');
  const said = (['advisor', 'lead'] as const).filter((key) => flags[key] !== undefined);
  const {
    format,
    lead: _lead,
    ...settings
  } = await mergeSettings(session, { ...flags, lead: 'none' }, { change: null, reviews: true, said });
  const input = await prepareWorkflow({
    ...settings,
    task: await readTask(session, words, flags),
    lead: flags.lead ?? 'auto',
    skill: flags.skill ?? null,
    phases: flags.phases ?? null,
    maxReviewRounds: flags.maxReviewRounds ?? null,
    gates: flags.yes === true ? 'accept' : 'ask',
    apply: flags.apply === true,
  });
  session.signal.throwIfAborted();
  const found = await beginHere(session, input);
  return driveOrDetach(session, found, { ...flags, format });
}

async function readTask(
  session: Session,
  words: string | undefined,
  { taskFile }: RunFlags,
): Promise<string> {
  if (words !== undefined && taskFile !== undefined) {
    throw new CollabError('usage', 'the task is given twice', { hint: 'give it as words or as --task-file' });
  }
  if (taskFile === undefined) return words ?? '';
  const { readTextInput } = await import('../flags/read-text-input.ts');
  return readTextInput(session, {
    file: taskFile,
    flag: '--task-file',
    what: 'the task',
    mostBytes: mostTaskBytes,
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
