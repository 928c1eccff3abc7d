/**
 * Dismisses a finding: an entry in the suppression file, so that it does not count, and a line in the history, from which
 * later reviews learn. Each is written once, however often the command is repeated.
 */
import { basename, dirname, join } from 'node:path';
import { addSuppression } from '../../config/add-suppression.ts';
import { checkSuppressions, suppressionsFileName } from '../../config/suppressions-file.ts';
import { historyFile, mostHistoryBytes } from '../../config/load-dismissals.ts';
import { loadConfig, topFolder } from '../../config/load-config.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Finding } from '../../events/collab-event.ts';
import { placeOfFinding } from '../../events/findings.ts';
import { isIgnored } from '../../git/repository/is-ignored.ts';
import {
  dismissalOf,
  longestReason,
  readDismissals,
  renderDismissal,
} from '../../review/dismissals/dismissal.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { pathWithin } from '../../system/is-inside.ts';
import { compareSeverity } from '../../tags/severities.ts';
import { visibleName } from '../../text/neutralise.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { StartPlace } from '../start/start-place.ts';
import { keepHistoryInGit } from './git-files.ts';
import { whileAlone } from './while-alone.ts';

export interface DismissOptions extends Pick<StartPlace, 'cwd' | 'env' | 'clock' | 'signal'> {
  readonly finding: Finding;
  readonly runId: string;
  readonly reason: string;
  /** The last day of the suppression, in UTC. */
  readonly expires?: string | undefined;
}

export interface Dismissed {
  /** The names of the files, from the top of the repository. */
  readonly suppressions: string;
  readonly history: string;
  /** False if the finding had been dismissed before. */
  readonly isNew: boolean;
  /** False if no configuration names the suppression file, so that reviews do not read it. */
  readonly isRead: boolean;
  /** Git ignores one of the files, so that no one else gets it. */
  readonly ignored: readonly string[];
}

/** @throws CollabError `usage` for a finding that is not dismissed, `config`, `input`, `file` */
export async function dismissFinding(options: DismissOptions): Promise<Dismissed> {
  const { finding, runId, cwd, env, clock, signal } = options;
  const reason = checkReason(options.reason);
  const at = new Date(clock.now()).toISOString();
  const dismissal = dismissalOf({ finding, at, run_id: runId, reason });
  const top = realPlace(topFolder(cwd));
  const { config } = await loadConfig({ cwd, env });
  const named = config.suppressions;
  const file = placeOf(named ?? join(top, suppressionsFileName));
  const name = pathWithin(file, top);
  const history = join(top, historyFile);
  makeFolder(dirname(history));
  const lock = { folder: join(dirname(history), 'dismissals'), clock, signal };
  const isNew = await whileAlone(lock, () => {
    const suppressions = suppressionsWith(readIfThere(file) ?? '', { ...options, reason, name });
    const lines = historyWith(readIfThere(history) ?? '', renderDismissal(dismissal), dismissal.identity);
    if (suppressions !== null) writeAtomically(file, suppressions, { shared: true });
    if (lines !== null) writeAtomically(history, lines, { shared: true });
    keepHistoryInGit(dirname(history));
    return suppressions !== null || lines !== null;
  });
  const written = [file, history];
  const ignored = await Promise.all(
    written.map((path) => isIgnored(path, { cwd, env, signal }).catch(() => false)),
  );
  return {
    suppressions: name,
    history: historyFile,
    isNew,
    isRead: named !== null,
    ignored: written.filter((_path, index) => ignored[index]).map((path) => pathWithin(path, top)),
  };
}

/** The folder may be reached through links, which are the user's; the file itself is none. */
function placeOf(file: string): string {
  return join(realPlace(dirname(file)), basename(file));
}

/** Both files are for other people: a secret in the reason is masked. @throws CollabError `usage` */
function checkReason(text: string): string {
  const reason = onOneLine(masked(text));
  if (reason === '')
    throw new CollabError('usage', 'the reason is empty', { hint: 'Say why the finding does not count.' });
  if (reason.length <= longestReason) return reason;
  throw new CollabError('usage', `the reason has ${reason.length} characters; ${longestReason} is the limit`);
}

interface SuppressionOptions extends Pick<DismissOptions, 'finding' | 'reason' | 'expires' | 'clock'> {
  readonly name: string;
}

/** Returns null if an entry for it is already there. */
function suppressionsWith(text: string, options: SuppressionOptions): string | null {
  const { finding, reason, expires, clock, name } = options;
  const { identity, severity } = finding;
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const isThere = checkSuppressions(text, name).some(
    (entry) =>
      entry.identity !== null &&
      identity.startsWith(entry.identity) &&
      [entry.path, entry.title, entry.quote].every((other) => other === null) &&
      (entry.expires === null || entry.expires >= today) &&
      compareSeverity(severity, entry.severity ?? 'important') >= 0,
  );
  if (isThere) return null;
  const comment = visibleName(onOneLine(`${placeOfFinding(finding)}: ${finding.title}`)).slice(0, 300);
  const entry = { identity, severity, reason, ...(expires === undefined ? {} : { expires }) };
  return addSuppression(text, { entry, comment, name });
}

/** Returns null if a line about it is already there. @throws CollabError `input` */
function historyWith(text: string, line: string, identity: string): string | null {
  if (readDismissals(text).dismissals.some((known) => known.identity === identity)) return null;
  const whole = `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${line}\n`;
  if (Buffer.byteLength(whole) <= mostHistoryBytes) return whole;
  throw new CollabError('input', `${historyFile} would be larger than ${mostHistoryBytes / 1024} KiB`, {
    hint: 'Remove its oldest lines.',
  });
}
