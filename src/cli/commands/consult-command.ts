/** `collab consult`: sends one question of the calling lead to the advisor and prints the answer in sections. */
import { Argument, Option } from 'commander';
import { consultFormats } from '../../config/settings.ts';
import type { ConsultStart } from '../../runs/start/start-request.ts';
import { consultPhases } from '../../tags/tags.ts';
import { presentStart } from '../driving/present-start.ts';
import { addBudgetFlags } from '../flags/budget-flags.ts';
import { takesDuration } from '../flags/flag-values.ts';
import { advisorsHelp } from '../flags/provider-help.ts';
import { configFromHelp } from '../flags/review-flags.ts';
import { consultLine, type ConsultFlags } from '../flags/start-lines.ts';
import type { Program } from '../program.ts';

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
    .action((phase: ConsultStart['phase'], flags: ConsultFlags) => {
      const line = consultLine(phase, flags);
      run((session, defaults) => presentStart(session, line, defaults), line);
    });
}
