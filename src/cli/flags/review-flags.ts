/** The flags of `collab review` on the command line. */
import { Option, type Command } from 'commander';
import { CollabError } from '../../errors/collab-error.ts';
import { most, reportFormats, ruleSets, type ReportTarget } from '../../config/settings.ts';
import type { ReviewStart } from '../../runs/start/start-request.ts';
import { isReportFormat } from '../../views/reports/report-formats.ts';
import type { ShownFlags } from '../driving/present-start.ts';
import { addBudgetFlags } from './budget-flags.ts';
import { takesCount, takesDuration } from './flag-values.ts';
import { severities } from '../../tags/tags.ts';
import { leadsHelp, reviewersHelp } from './provider-help.ts';

/** The flags as Commander reads them; `start-lines.ts` makes a request of them. */
export interface ReviewFlags extends Omit<ReviewStart, 'kind' | 'changes'>, ShownFlags {
  readonly base?: string;
  readonly staged?: boolean;
  readonly commit?: string;
}

export const configFromHelp =
  'read configuration and REVIEW.md from this commit, not from the working tree; with CI set: from the base of the change';

export function addReviewFlags(command: Command): Command {
  const described = command
    .option('--base <ref>', 'review what this branch adds to <ref>')
    .option('--staged', 'review what is staged')
    .option('--commit <sha>', 'review one commit')
    .option('--advisor <provider[:model]>', `who reviews: ${reviewersHelp}`)
    .option(
      '--lead <provider[:model]>',
      `who answers what the advisor asks back: caller, none, ${leadsHelp}; auto: the caller inside Claude Code, else nobody`,
    )
    .option('--ask', 'at a terminal: what the advisor asks back is put to you')
    .option('--verify', 'the lead checks Critical and Important findings (default: where there is a lead)')
    .option('--no-verify', 'no second opinion of the lead')
    .option('--allow-static', 'with CI set: static checks are enough where no model is available')
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 at this grade or worse').choices([...severities, 'never']),
    )
    .option('--allow-empty', 'an empty diff is no error')
    .option('--fail-on-empty', 'exit 3 where every file of the change is skipped')
    .addOption(new Option('--rules <set>', 'which rules look at the change').choices(ruleSets))
    .addOption(new Option('--format <format>', 'what goes to standard output').choices(reportFormats))
    .option('--report <format=file>', 'write a report besides; repeatable', collectReport)
    .option('--focus <text>', 'where to look above all')
    .option('--instructions <file>', "the project's own review instructions; without it: REVIEW.md")
    .option(
      '--include <glob>',
      'review only such files, generated, vendored and lock files among them; repeatable',
      collect,
    )
    .option('--exclude <glob>', 'leave such files out; repeatable', collect)
    .option('--baseline <file>', 'an earlier result (json): what it lists is still there and does not count')
    .option('--suppressions <file>', 'findings that do not count, each with a reason and maybe an end')
    .option('--language <tag>', "the language of the advisor's prose, e.g. ja")
    .option('--time-limit <duration>', 'for the whole run, e.g. 20m', takesDuration('--time-limit'))
    .option('--concurrency <n>', 'exchanges at a time', takesCount('--concurrency', most.concurrency))
    .option('--no-cache', 'ask about every chunk, also where an earlier run has the answer; keep none')
    .option('--plan', 'show what would be reviewed and what it would cost; no agent is called')
    .option('--show-prompt', 'with --plan: print the prompts')
    .option('--config <file>', 'a configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .option('--detach', 'go on in the background; prints one JSON line')
    .option('--verbose', 'show the advisor at work on standard error')
    .option('--ascii', 'no emoji');
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
    throw new CollabError('usage', `--report takes <format>=<file>, not "${value}"`, {
      hint: `for example --report json=review.json; formats: ${reportFormats.join(', ')}`,
    });
  }
  return [...former, { format, file }];
}
