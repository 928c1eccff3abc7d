/** `collab dismiss`: a person's decision that a finding does not count, with the reason. */
import { CollabError } from '../../errors/collab-error.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { Dismissed } from '../../runs/dismiss/dismiss.ts';
import { exitCodes } from '../exit-code.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

interface DismissFlags {
  readonly reason: string;
  readonly expires?: string;
  readonly json?: boolean;
}

const examples = `
Adds an entry to the suppression file and a line to .collab/history.jsonl. Refuses Critical findings and secrets.

Examples:
  collab dismiss 2 --reason "the bank rounds by itself"
  collab dismiss F1 20261121-093005-x7k2 --reason "carriers send numbers" --expires 2027-01-31
`;

export function addDismissCommand({ root, run }: Program): void {
  root
    .command('dismiss')
    .description('suppress a finding of a review, with the reason')
    .argument('<finding>', 'its number as reports show it, such as F2 or 2')
    .argument('[run]', 'the id of the review, its start or end, or "latest"', 'latest')
    .requiredOption('--reason <text>', 'say why it does not count; reports show it')
    .option('--expires <day>', 'name the last day, such as 2027-01-31')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((name: string, wanted: string, flags: DismissFlags) => {
      run(async (session) => dismiss(session, { name, wanted }, flags));
    });
}

interface Wanted {
  /** The name of the finding. */
  readonly name: string;
  /** The name of the run. */
  readonly wanted: string;
}

async function dismiss(session: Session, { name, wanted }: Wanted, flags: DismissFlags): Promise<number> {
  const { findRun } = await import('../flags/run-arguments.ts');
  const { findingNamed } = await import('../../review/findings/named-finding.ts');
  const { dismissFinding } = await import('../../runs/dismiss/dismiss.ts');
  const found = await findRun(session, wanted);
  const result = await (await engineOf(session)).result(found);
  if (result?.schema !== 'collab.review/v1' || result.state !== 'ended')
    throw new CollabError('usage', `${found.runId} is no review that has ended`, {
      hint: 'collab runs lists the reviews',
    });
  const finding = findingNamed(result.findings, name);
  const { cwd, env, clock, signal } = session;
  const place = { cwd, env, clock, signal };
  const expires = dayOf(flags.expires);
  const done = await dismissFinding({
    finding,
    runId: found.runId,
    reason: flags.reason,
    expires,
    ...place,
  });
  if (flags.json === true) {
    session.out(renderJson({ finding: finding.id, identity: finding.identity, ...done }));
    return exitCodes.passed;
  }
  const [what = '', ...next] = describeDismissal(finding, done);
  session.out(`${what}\n`);
  session.err(next.map((line) => `  ${line}\n`).join(''));
  return exitCodes.passed;
}

/** Returns what was done, and then each next step. */
export function describeDismissal({ id }: Pick<Finding, 'id'>, done: Dismissed): readonly string[] {
  const verb = done.isNew ? 'dismissed' : 'was dismissed before:';
  return [`${verb} ${id} in ${done.suppressions} and ${done.history}`, ...nextSteps(done)];
}

function nextSteps({ suppressions, isRead, ignored }: Dismissed): readonly string[] {
  return [
    ...(isRead
      ? []
      : [`reviews read the file only by name: put "suppressions: ${suppressions}" into collab.config.yaml`]),
    ...ignored.map((path) => `git ignores ${path}: git add -f ${path}`),
    'commit both files: a change is reviewed with those of its base',
  ];
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new CollabError('usage', `--expires ${text} is not a day`, { hint: 'Write it as 2027-01-31.' });
}
