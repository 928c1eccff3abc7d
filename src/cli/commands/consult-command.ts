/** `collab consult`: sends one question of the calling lead to the advisor and prints the answer in sections. */
import { addDisplayFlags } from '../flags/go-on-flags.ts';
import { Argument } from 'commander';
import type { ConsultStart } from '../../runs/start/start-request.ts';
import { consultPhases } from '../../tags/tags.ts';
import { presentStart } from '../driving/present-start.ts';
import { addRemoteFlags, priorityOption } from '../engine/remote-flags.ts';
import { consultFormats } from '../../views/reports/report-formats.ts';
import { formatOption } from '../flags/format-option.ts';
import { addConfigurationFlags, addSettingFlags } from '../flags/setting-flags.ts';
import { consultLine, type ConsultFlags } from '../flags/start-lines.ts';
import type { Program } from '../program.ts';

const examples = `
Examples:
  collab consult design --file brief.md
  collab consult requirements --file - < brief.md
  collab consult implementation --file question.md --run 20261121-093005-x7k2
  collab consult design --file brief.md --format json
  collab consult design --file brief.md --remote

The brief has your plan and your question. The advisor reads a copy of the working tree.
If it asks back, the command prints the question and ends with 10: collab answer <run> --file -

Exit codes: 0 settled, 2 usage, 3 no whole answer, 4 the advisor cannot run, 10 waiting for an answer, 11 still running, 130 interrupted
`;

export function addConsultCommand({ root, run }: Program): void {
  const command = root
    .command('consult')
    .description('ask the advisor about requirements, a design or an implementation')
    .addArgument(new Argument('<phase>', 'the phase of your question').choices(consultPhases))
    .requiredOption('--file <brief.md>', 'read your question from this file; - reads standard input')
    .option('--run <id>', 'continue an earlier run, with its results as context');
  addSettingFlags(command, 'consult')
    .option('--ask', 'answer the advisor yourself, at the terminal')
    .addOption(formatOption(consultFormats).default('terminal'));
  addRemoteFlags(command, 'let a worker ask it, through the database').addOption(priorityOption());
  addDisplayFlags(addConfigurationFlags(command))
    .addHelpText('after', examples)
    .action((phase: ConsultStart['phase'], flags: ConsultFlags) => {
      const line = consultLine(phase, flags);
      run((session, defaults) => presentStart(session, line, defaults), line);
    });
}
