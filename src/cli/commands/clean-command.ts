/** `collab clean`: removes runs that have ended, and old remains of unfinished ones. */
import { CollabError } from '../../errors/collab-error.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { neutralise } from '../../text/neutralise.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

interface CleanFlags {
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

export function addCleanCommand({ root, run }: Program): void {
  root
    .command('clean')
    .description('remove ended runs; keep conversations')
    .option('--all', 'also remove interrupted runs, conversations and the cache')
    .option('--dry-run', 'list the items without removing them')
    .addHelpText('after', '\nExample:\n  collab clean --dry-run\n')
    .action((flags: CleanFlags) => {
      run(async (session) => {
        const { collabHome } = await import('../../runs/folder/run-folder.ts');
        const { removeRun } = await import('../../runs/remove-run.ts');
        const engine = await engineOf(session);
        let removed = 0;
        for (const found of await engine.list(collabHome(session))) {
          const standing = await engine
            .status(found)
            .catch((error: unknown) => passOver(session, found, error));
          if (standing === null) continue;
          const { state } = standing;
          if (state !== 'ended' && !(flags.all === true && state === 'interrupted')) continue;
          if (flags.dryRun === true) session.out(`would remove ${found.runId} (${state})\n`);
          else {
            const left = await removeRun(found, session).catch((error: unknown) =>
              passOver(session, found, error),
            );
            if (left === null) continue;
            session.out(`removed ${found.runId} (${state})\n`);
            if (left.branch !== null)
              session.out(`  kept the branch ${left.branch}; to remove it: git branch -D ${left.branch}\n`);
          }
          removed += 1;
        }
        if (flags.dryRun !== true) {
          const { removeDeadCopies } = await import('../../runs/folder/dead-copies.ts');
          await removeDeadCopies(session);
        }
        if (flags.all === true) removed += await cleanConversations(session, flags);
        removed += await cleanCache(session, flags);
        removed += await cleanStores(session, flags);
        if (removed === 0) session.out('nothing to remove\n');
        return 0;
      });
    });
}

/** Removes conversations; like interrupted runs, all of them could be resumed. Returns how many it removes, or would remove. */
async function cleanConversations(session: Session, { dryRun = false }: CleanFlags): Promise<number> {
  const { allConversations } = await import('../../runs/conversation/store.ts');
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const { isOpenElsewhere, removeClosed } = await import('../../runs/remove-run.ts');
  let removed = 0;
  for (const folder of allConversations(collabHome(session))) {
    if (dryRun ? await isOpenElsewhere(folder) : !(await removeClosed(folder, session))) continue;
    session.out(`${dryRun ? 'would remove' : 'removed'} ${folder.id} (conversation)\n`);
    removed += 1;
  }
  return removed;
}

/** Removes cached answers of earlier runs: old ones, or all with `--all`. Returns how many it removes, or would remove. */
async function cleanCache(session: Session, { all = false, dryRun = false }: CleanFlags): Promise<number> {
  const { countCache, pruneCache, removeCache } = await import('../../runs/cache/answer-cache.ts');
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const { renderCount } = await import('../../text/quantities.ts');
  const home = collabHome(session);
  if (!all) return dryRun ? 0 : pruneCache(home, session.clock);
  const answers = dryRun ? countCache(home) : removeCache(home);
  const words = dryRun ? 'would remove' : 'removed';
  if (answers > 0) session.out(`${words} the cache (${renderCount(answers, 'answer')})\n`);
  return answers;
}

/** Removes old contents of repositories, or all with `--all`. Returns how many stores it removes, or would remove. */
async function cleanStores(session: Session, { all = false, dryRun = false }: CleanFlags): Promise<number> {
  const { countStores, removeStores } = await import('../../git/store/prune.ts');
  const { stateBases } = await import('../../system/state-base.ts');
  const { renderCount } = await import('../../text/quantities.ts');
  if (!all) return 0;
  let stores = 0;
  for (const base of stateBases(session)) stores += dryRun ? countStores(base) : await removeStores(base);
  const words = dryRun ? 'would remove' : 'removed';
  if (stores > 0)
    session.out(`${words} kept files of ${renderCount(stores, 'repository', 'repositories')}\n`);
  return stores;
}

/** Keeps an unreadable run for a person to inspect, and cleans the others. */
function passOver(session: Session, { runId }: RunFolder, error: unknown): null {
  if (!(error instanceof CollabError)) throw error;
  session.err(`kept ${runId}: ${neutralise(error.message)}\n`);
  return null;
}
