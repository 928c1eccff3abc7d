/** The flags of `collab review` on the command line. */
import { Option, type Command } from 'commander';
import { CollabError } from '../../errors/collab-error.ts';
import { most, reportFormats, ruleSets, type ReportTarget } from '../../config/settings.ts';
import type { ReviewStart } from '../../runs/start/start-request.ts';
import { isReportFormat } from '../../views/reports/report-formats.ts';
import type { ShownFlags } from '../driving/present-start.ts';
import { addBudgetFlags } from './budget-flags.ts';
import { takesCount, takesDuration, takesLanguage } from './flag-values.ts';
import { severities } from '../../tags/tags.ts';
import { leadsHelp, reviewersHelp } from './provider-help.ts';

/** The flags as Commander reads them; `start-lines.ts` makes a request of them. */
export interface ReviewFlags extends Omit<ReviewStart, 'kind' | 'changes'>, ShownFlags {
  readonly base?: string;
  readonly staged?: boolean;
  readonly commit?: string;
}

export const configFromHelp =
  'read configuration and REVIEW.md from this commit; with CI set: default is the base of the change';

export function addReviewFlags(command: Command): Command {
  const described = command
    .option('--base <ref>', 'review the changes of this branch since <ref>')
    .option('--staged', 'review the staged changes')
    .option('--commit <sha>', 'review one commit')
    .option('--advisor <provider[:model]>', `choose the reviewer: ${reviewersHelp}`)
    .option(
      '--lead <provider[:model]>',
      `choose who answers the advisor: caller, none, ${leadsHelp}; auto: the caller inside Claude Code, else none`,
    )
    .option('--ask', 'answer the advisor yourself, at the terminal')
    .option('--verify', 'let the lead check findings (default: if there is a lead)')
    .option('--no-verify', 'skip the second opinion of the lead')
    .option('--allow-static', 'with CI set: accept static checks if no model is available')
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 at this severity or worse').choices([
        ...severities,
        'never',
      ]),
    )
    .option('--allow-empty', 'accept an empty diff')
    .option('--fail-on-empty', 'exit 3 if every file of the change is skipped')
    .addOption(new Option('--rules <set>', 'choose the rules for static checks').choices(ruleSets))
    .addOption(new Option('--format <format>', 'choose the format of standard output').choices(reportFormats))
    .option('--report <format=file>', 'also write a report file; repeatable', collectReport)
    .option('--focus <text>', 'name what the review should focus on')
    .option('--instructions <file>', 'read review instructions from this file (default: REVIEW.md)')
    .option('--include <glob>', 'review only matching files, even generated ones; repeatable', collect)
    .option('--exclude <glob>', 'exclude matching files; repeatable', collect)
    .option('--baseline <file>', 'do not count the findings of an earlier result (json)')
    .option('--suppressions <file>', 'read findings that do not count from this file')
    .option('--language <tag>', "set the language of the advisor's text, e.g. ja", takesLanguage)
    .option('--time-limit <duration>', 'limit the whole run, e.g. to 20m', takesDuration('--time-limit'))
    .option(
      '--concurrency <n>',
      'set the number of parallel exchanges',
      takesCount('--concurrency', most.concurrency),
    )
    .option('--no-cache', 'ignore answers of earlier runs and store none')
    .option('--plan', 'show the scope and estimated tokens without calling an agent')
    .option('--show-prompt', 'with --plan: print the prompts')
    .option('--config <file>', 'use this configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .option('--detach', 'continue in the background and print one JSON line')
    .option('--verbose', "show the advisor's work on standard error")
    .option('--ascii', 'print no emoji');
  return addBudgetFlags(described);
}

/** Collects the values of a repeatable flag. */
export function collect(value: string, former: readonly string[] = []): readonly string[] {
  return [...former, value];
}

export function collectReport(value: string, former: readonly ReportTarget[] = []): readonly ReportTarget[] {
  const equals = value.indexOf('=');
  const format = value.slice(0, Math.max(0, equals));
  const file = value.slice(equals + 1);
  if (!isReportFormat(format) || file === '') {
    throw new CollabError('usage', `--report needs <format>=<file>, not "${value}"`, {
      hint: `for example --report json=review.json; formats: ${reportFormats.join(', ')}`,
    });
  }
  return [...former, { format, file }];
}
