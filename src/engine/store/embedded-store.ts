/** The store that needs nothing: a folder for each run, with its journal, its blobs and its lock. */
import { readBlob, writeBlob } from '../journal/blobs.ts';
import { envelopeOf, openJournal, journalFile, type RunEnvelope } from '../journal/journal.ts';
import { noJournal, readJournal } from '../journal/journal-reader.ts';
import { askOwner, findOwner, takeLock } from '../lock/lock.ts';
import { recallJournal } from '../drive/recall-journal.ts';
import type { Claim, ClaimOptions, RunBlobs, EngineStore } from './engine-store.ts';

export const embeddedStore: EngineStore = {
  claim,
  recall: recallJournal,
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
      durable: () => null,
      onRequest: (handler) => lock.onRequest(handler),
      async release() {
        journal.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
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
