/** The store that needs nothing: a folder for each run, with its journal, its blobs and its lock. */
import type { Clock } from '../../system/clock.ts';
import { hasBlob, readBlob, writeBlob } from '../journal/blobs.ts';
import { journalEnds } from '../journal/first-and-last.ts';
import { envelopeOf, openJournal, journalFile, type RunEnvelope } from '../journal/journal.ts';
import { noJournal, parseLines, readJournal } from '../journal/journal-reader.ts';
import { askOwner, findOwner, takeLock } from '../lock/lock.ts';
import { recallJournal } from '../drive/recall-journal.ts';
import { watchFolder } from '../../system/folder-watch.ts';
import { openGrowingFile } from '../../system/growing-file.ts';
import type { Claim, ClaimOptions, EngineStore, RecordReader, RunBlobs } from './engine-store.ts';

export const embeddedStore: EngineStore = {
  claim,
  recall: recallJournal,
  read: openJournalReader,
  ends: async (runFolder) => journalEnds(runFolder),
  text: async (runFolder, name) => (hasBlob(runFolder, name) ? readBlob(runFolder, name) : null),
  isOwned: async (runFolder) => (await findOwner(runFolder)) !== null,
  ask: askOwner,
};

async function claim({ envelope, ...options }: ClaimOptions): Promise<Claim> {
  const { runFolder } = options;
  const lock = await takeLock(runFolder);
  try {
    const journal = openJournal({ ...options, envelope: envelope ?? recordedEnvelope(runFolder) });
    return {
      past: journal.past,
      blobs: blobsOf(runFolder),
      lost: null,
      isOurs: () => lock.checkStillOurs(),
      append: (drafts) => journal.append(drafts),
      durable() {
        try {
          journal.sync();
          return null;
        } catch (error) {
          return Promise.reject(error);
        }
      },
      onRequest: (handler) => lock.onRequest(handler),
      async release() {
        try {
          journal.close();
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function openJournalReader(runFolder: string, clock: Clock): RecordReader {
  const path = journalFile(runFolder);
  const file = openGrowingFile(path);
  const watch = watchFolder(runFolder, clock);
  let linesBefore = 0;
  return {
    async next() {
      const lines = parseLines(path, await file.nextLines(), linesBefore);
      linesBefore += lines.length;
      return lines;
    },
    change: (signal) => watch.change(signal),
    wake: watch.tell,
    async close() {
      watch.close();
      await file.close();
    },
  };
}

export function blobsOf(runFolder: string): RunBlobs {
  return { put: (text) => writeBlob(runFolder, text), get: (name) => readBlob(runFolder, name) };
}

function recordedEnvelope(runFolder: string): RunEnvelope {
  const file = journalFile(runFolder);
  const [first] = readJournal(file).events;
  if (first === undefined) throw noJournal(file);
  return envelopeOf(first);
}
