/** The findings of a run that people dismissed, and one more dismissal, in the files of the served repository. */
import { z } from 'zod';
import { may } from '../../access/permissions.ts';
import { requireMay } from '../../access/require.ts';
import type { Speaker } from '../../access/speaker.ts';
import { filesOnDisk } from '../../config/file-source.ts';
import { loadDismissals } from '../../config/load-dismissals.ts';
import { topFolder } from '../../config/load-config.ts';
import { mostNameCharacters, wordsSchema } from '../../config/setting-types.ts';
import { CollabError, isRefusal } from '../../errors/collab-error.ts';
import type { Finding } from '../../events/collab-event.ts';
import { longestReason, whyNotDismissed, type Dismissal } from '../../review/dismissals/dismissal.ts';
import { findingNamed } from '../../review/findings/named-finding.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { dismissFinding } from '../../runs/dismiss/dismiss.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { isSameTree } from '../../runs/start/same-tree.ts';
import { readsRepository } from '../access/reads-repository.ts';
import { conflict } from '../routes/problem.ts';
import type { ServerContext } from '../routes/server-context.ts';
import { resultIfReadable } from './run-view.ts';

export const dismissalRequestSchema = z.strictObject({
  finding: wordsSchema(z, mostNameCharacters).describe('its number in the report: 2 or F2'),
  reason: z
    .string()
    .max(longestReason)
    .regex(/\S/, 'is empty')
    .describe('why it does not count; reports show it, and secrets in it are masked'),
});

export const dismissedSchema = z.object({
  /** The id of the finding. */
  finding: z.string(),
  identity: z.string(),
  /** The files that have the dismissal, from the top of the repository. */
  suppressions: z.string(),
  history: z.string(),
  /** False if the finding had been dismissed before: nothing was written. */
  is_new: z.boolean(),
  /** False if no configuration names the suppression file, so that reviews do not read it. */
  is_read: z.boolean(),
  /** Those of the files that git ignores. */
  ignored: z.array(z.string()),
});

export const dismissalsSchema = z.object({
  dismissals: z.array(
    z.object({ finding: z.string(), identity: z.string(), at: z.iso.datetime(), reason: z.string() }),
  ),
  /** The ids of the findings that the caller may dismiss here. */
  open: z.array(z.string()),
});

type DismissServer = Pick<ServerContext, 'clock' | 'cwd' | 'engine' | 'env' | 'stopping'>;

/** A caller that may not read the repository learns nothing about its files. */
export async function listDismissals(
  server: DismissServer,
  run: RunFolder,
  speaker: Speaker,
): Promise<z.infer<typeof dismissalsSchema>> {
  const findings = await endedFindings(server, run);
  const isHere = findings !== null && mayRead(server, speaker) && (await isOfServed(server, run));
  if (!isHere) return { dismissals: [], open: [] };
  const known = new Map((await readHistory(server)).map((one) => [one.identity, one]));
  const mayDismiss = may(speaker, { does: 'dismiss a finding' }).allowed;
  return {
    dismissals: findings.flatMap(({ id: finding, identity }) => {
      const dismissal = known.get(identity);
      return dismissal === undefined
        ? []
        : [{ finding, identity, at: dismissal.at, reason: masked(dismissal.reason) }];
    }),
    open: findings
      .filter((finding) => mayDismiss && !known.has(finding.identity) && whyNotDismissed(finding) === null)
      .map(({ id }) => id),
  };
}

/**
 * Dismisses as `collab dismiss`; a repeated request changes nothing.
 * @throws Refusal 409; CollabError `forbidden`, and as `dismissFinding`
 */
export async function dismissServed(
  server: DismissServer,
  run: RunFolder,
  { speaker, ...wanted }: z.infer<typeof dismissalRequestSchema> & { readonly speaker: Speaker },
): Promise<z.infer<typeof dismissedSchema>> {
  requireMay(speaker, { does: 'dismiss a finding' }, 'a dismissal');
  requireMay(speaker, readsRepository(server.cwd), 'a dismissal');
  const findings = await endedFindings(server, run);
  if (findings === null) throw conflict(`${run.runId} is not a review that has ended`);
  if (!(await isOfServed(server, run)))
    throw conflict(`${run.runId} did not review the repository of this server`, { hint: elsewhereHint });
  const finding = findingNamed(findings, wanted.finding);
  const { clock, cwd, env, stopping: signal } = server;
  const done = await dismissFinding({
    finding,
    runId: run.runId,
    reason: wanted.reason,
    cwd,
    env,
    clock,
    signal,
  });
  const { suppressions, history, isNew, isRead, ignored } = done;
  return {
    finding: finding.id,
    identity: finding.identity,
    suppressions,
    history,
    is_new: isNew,
    is_read: isRead,
    ignored: [...ignored],
  };
}

const elsewhereHint = 'Dismiss the finding in its own repository: collab dismiss.';

function mayRead(server: Pick<DismissServer, 'cwd'>, speaker: Speaker): boolean {
  return may(speaker, readsRepository(server.cwd)).allowed;
}

async function endedFindings(
  { engine }: Pick<DismissServer, 'engine'>,
  run: RunFolder,
): Promise<readonly Finding[] | null> {
  const result = await resultIfReadable(engine, run);
  return result?.schema === 'collab.review/v1' && result.state === 'ended' ? result.findings : null;
}

/** A run of another repository may be in the same folder of runs. A submitted run does not have the folder that it is of. */
async function isOfServed({ cwd, engine }: DismissServer, run: RunFolder): Promise<boolean> {
  const input = await engine.input(run);
  return input !== null && input.cwd !== '' && (await isSameTree(input.cwd, cwd));
}

/** A history that cannot be read dismisses nothing, as in a review. */
async function readHistory({ cwd }: Pick<DismissServer, 'cwd'>): Promise<readonly Dismissal[]> {
  try {
    return (await loadDismissals({ top: topFolder(cwd), source: filesOnDisk }))?.dismissals ?? [];
  } catch (error) {
    if (error instanceof CollabError && isRefusal(error.code)) return [];
    throw error;
  }
}
