/** `collab stats`: what became of the findings of the reviews in this folder. */
import { join } from 'node:path';
import type { Finding } from '../../events/collab-event.ts';
import type { FindingStats, NamedCounts } from '../../review/dismissals/stats.ts';
import { engineOf } from '../engine/engine-of.ts';
import { exitCodes } from '../exit-code.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

const examples = `
Precision is the share of the reported findings that no person dismissed and no check rejected. It is an upper bound: most findings
are judged by no one.

Example:
  collab stats --json
`;

export function addStatsCommand({ root, run }: Program): void {
  root
    .command('stats')
    .description('show the precision of rules, classes and folders')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags: { readonly json?: boolean }) => {
      run(async (session) => stats(session, flags));
    });
}

interface Measured extends FindingStats {
  readonly reviews: number;
  /** Numbers of the lines of the history that are no dismissal. */
  readonly damaged_lines: readonly number[];
}

async function stats(session: Session, flags: { readonly json?: boolean }): Promise<number> {
  const measured = await measure(session);
  if (flags.json === true) session.out(renderJson(measured));
  else session.out(await renderStats(measured));
  return exitCodes.passed;
}

async function measure(session: Session): Promise<Measured> {
  const { topFolder } = await import('../../config/load-config.ts');
  const { historyFile } = await import('../../config/load-dismissals.ts');
  const { readDismissals } = await import('../../review/dismissals/dismissal.ts');
  const { countFates } = await import('../../review/dismissals/stats.ts');
  const { realPlace } = await import('../../system/files/in-folder.ts');
  const { readIfThere } = await import('../../system/files/read.ts');
  const text = readIfThere(join(realPlace(topFolder(session.cwd)), historyFile)) ?? '';
  const { dismissals, damaged } = readDismissals(text);
  const results = await resultsHere(session);
  return { reviews: results.length, ...countFates(results, dismissals), damaged_lines: damaged };
}

/** The findings of the reviews that have ended, the newest first. A run that cannot be read is passed over. */
async function resultsHere(session: Session) {
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const { isUnreadable } = await import('../../runs/folder/run-status.ts');
  const engine = await engineOf(session);
  const results: (readonly Finding[])[] = [];
  for (const run of await engine.list(collabHome(session))) {
    try {
      const result = await engine.result(run);
      if (result?.schema === 'collab.review/v1' && result.state === 'ended') results.push(result.findings);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      session.err(`${run.runId} cannot be read and is not counted\n`);
    }
  }
  return results;
}

async function renderStats(measured: Measured): Promise<string> {
  const { renderCount } = await import('../../text/quantities.ts');
  const { reviews, reported, dismissed_elsewhere: elsewhere, damaged_lines: damaged } = measured;
  const { by_rule, by_claim, by_path } = measured;
  const rows = [
    ...rowsOf('rule', by_rule),
    ...rowsOf('class', by_claim),
    ...rowsOf('folder', by_path),
    ...rowsOf('all', [{ ...measured, name: '' }]),
  ];
  const notes = [
    ...(elsewhere === 0
      ? []
      : [`${renderCount(elsewhere, 'dismissal')} of findings that no review here has`]),
    ...(damaged.length === 0 ? [] : [`lines of the history that cannot be read: ${damaged.join(', ')}`]),
  ];
  return [
    `${renderCount(reported, 'finding')} of ${renderCount(reviews, 'review')}`,
    ...(reported === 0 ? [] : await tableOf([columns, ...rows])),
    ...notes,
    '',
  ].join('\n');
}

const columns = ['', 'reported', 'confirmed', 'rejected', 'dismissed', 'precision'];

function rowsOf(kind: string, counts: readonly NamedCounts[]): readonly (readonly string[])[] {
  return counts.map(({ name, reported, confirmed, rejected, dismissed, precision }) => [
    `${kind} ${name}`.trim(),
    ...[reported, confirmed, rejected, dismissed].map(String),
    precision === null ? '-' : `${Math.round(100 * precision)} %`,
  ]);
}

/** Paths and names of rules come from results, which agents write. */
async function tableOf(rows: readonly (readonly string[])[]): Promise<readonly string[]> {
  const { displayWidth } = await import('../../text/display-width.ts');
  const { visibleName } = await import('../../text/neutralise.ts');
  const safe = rows.map((row) => row.map(visibleName));
  const widths = columns.map((_column, index) =>
    Math.max(...safe.map((row) => displayWidth(row[index] ?? ''))),
  );
  return safe.map((row) =>
    row
      .map((cell, index) => {
        const gap = ' '.repeat((widths[index] ?? 0) - displayWidth(cell));
        return index === 0 ? cell + gap : gap + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}
