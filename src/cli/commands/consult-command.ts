/** `collab consult`: sends one question of the calling lead to the advisor and prints the answer in sections. */
import { Argument, Option, type Command } from 'commander';
import type { ConsultFormat } from '../../config/settings.ts';
import { consultFormats } from '../../config/settings.ts';
import type { ConsultRunInput } from '../../runs/folder/run-input.ts';
import { consultPhases } from '../../tags/tags.ts';
import { addBudgetFlags, type BudgetFlags } from '../flags/budget-flags.ts';
import { takesDuration } from '../flags/flag-values.ts';
import { beginHere } from '../driving/begin-here.ts';
import type { Program } from '../program.ts';
import { configFromHelp } from '../flags/review-flags.ts';
import type { Session } from '../session.ts';
import { advisorsHelp } from '../flags/provider-help.ts';

interface ConsultFlags extends BudgetFlags {
  readonly file: string;
  readonly run?: string;
  readonly advisor?: string;
  readonly ask?: boolean;
  readonly language?: string;
  readonly format: ConsultFormat;
  readonly timeLimit?: number;
  readonly config?: string;
  readonly configFrom?: string;
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly ascii?: boolean;
}

const examples = `
Examples:
  collab consult design --file brief.md
  collab consult requirements --file - < brief.md
  collab consult implementation --file question.md --run 20261121-093005-x7k2
  collab consult design --file brief.md --format json

The brief is yours: what you plan, what you want to know. The advisor reads a copy of the working tree.
Where it asks back, the command ends with 10 and prints the question: collab answer <run> --file -

Exit codes: 0 settled, 2 usage, 3 no whole answer, 4 the advisor cannot run, 10 it asks, 11 still running, 130 interrupted
`;

/** Bytes of a brief: far above what people write, below what an advisor takes. */
const mostBriefBytes = 512 * 1024;

export function addConsultCommand({ root, run }: Program): void {
  const command = root
    .command('consult')
    .description('ask the advisor about requirements, a design or an implementation')
    .addArgument(new Argument('<phase>', 'what it is about').choices(consultPhases))
    .requiredOption('--file <brief.md>', 'what you want to know; - reads standard input')
    .option('--run <id>', 'go on with the conversation of an earlier run: what it settled is told as context')
    .option('--advisor <provider[:model]>', `who answers: ${advisorsHelp}`)
    .option('--ask', 'at a terminal: what the advisor asks back is put to you')
    .option('--language <tag>', "the language of the advisor's prose, e.g. ja")
    .addOption(
      new Option('--format <format>', 'what goes to standard output')
        .choices(consultFormats)
        .default('terminal'),
    )
    .option('--time-limit <duration>', 'for the whole run, e.g. 20m', takesDuration('--time-limit'))
    .option('--config <file>', 'a configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .option('--detach', 'go on in the background; prints one JSON line')
    .option('--verbose', 'show the advisor at work on standard error')
    .option('--ascii', 'no emoji');
  addBudgetFlags(command)
    .addHelpText('after', examples)
    .action((phase: ConsultRunInput['phase'], flags: ConsultFlags, parsed: Command) => {
      run((session) => consult(session, phase, flags), parsed);
    });
}

async function consult(
  session: Session,
  phase: ConsultRunInput['phase'],
  flags: ConsultFlags,
): Promise<number> {
  const { driveOrDetach, followLimit } = await import('../driving/drive-or-detach.ts');
  followLimit(session);
  const { prepareConsult } = await import('../../runs/consult/prepare.ts');
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const { readTextInput } = await import('../flags/read-text-input.ts');
  const { findRun } = await import('../flags/run-arguments.ts');
  const { mergeSettings } = await import('../flags/review-settings.ts');
  const {
    format: _format,
    reports: _reports,
    ...settings
  } = await mergeSettings(session, reviewFlagsOf(flags), {
    change: null,
    reviews: false,
    said: flags.advisor === undefined ? [] : ['advisor'],
  });
  const inputOf = await prepareConsult({
    ...settings,
    phase,
    after: flags.run === undefined ? null : findRun(session, flags.run),
    brief: await readTextInput(session, {
      file: flags.file,
      what: 'the brief',
      mostBytes: mostBriefBytes,
    }),
    lead: { provider: flags.ask === true ? 'user' : 'caller', model: null, chosenBy: 'auto' },
    home: collabHome(session),
  });
  session.signal.throwIfAborted();
  const found = await beginHere(session, ({ runId }) => inputOf(runId));
  return driveOrDetach(session, found, flags);
}

/** Leaves out report files and the report format, which only reviews have. */
function reviewFlagsOf(flags: ConsultFlags) {
  const { advisor, language, timeLimit, config, configFrom, budgetUsd, budgetTokens, budgetCalls } = flags;
  return {
    lead: 'none',
    ...(advisor === undefined ? {} : { advisor }),
    ...(language === undefined ? {} : { language }),
    ...(timeLimit === undefined ? {} : { timeLimit }),
    ...(config === undefined ? {} : { config }),
    ...(configFrom === undefined ? {} : { configFrom }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(budgetCalls === undefined ? {} : { budgetCalls }),
  };
}
