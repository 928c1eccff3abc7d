/** Writes `transcript.md` into the run's folder whenever the run leaves this process. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Departure } from '../../engine/port.ts';
import type { RecordedEvents } from '../../engine/journal/recorded-events.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { writeAtomically } from '../../system/files/write.ts';

export function transcriptFile(runFolder: string): string {
  return join(runFolder, 'transcript.md');
}

/** The transcript of one drive. */
export function createTranscript(runFolder: string, recorded: RecordedEvents) {
  let told: Promise<string> | null = null;
  return {
    /** Receives each event after it was recorded. */
    push({ type }: CollabEvent): void {
      // No record follows: the transcript is rendered while the agents close.
      if (type === 'run.ended') {
        told = tell(recorded.all());
        told.catch(() => undefined);
      }
    },
    /**
     * Writes the transcript once the drive is over; `departure` is null if it failed. A drive that lost the lock writes
     * nothing; one that recorded nothing keeps an existing transcript if it is complete.
     */
    async write(departure: Departure<unknown> | null): Promise<void> {
      if (departure?.kind === 'interrupted' && departure.reason === 'lock_lost') return;
      if (recorded.any() || isBehind(runFolder)) write(runFolder, await (told ?? tell(recorded.all())));
    },
  };
}

/**
 * Returns true if a drive was killed between its last record and the transcript: then the transcript is older or
 * absent.
 */
function isBehind(runFolder: string): boolean {
  const [journal, transcript] = [journalFile(runFolder), transcriptFile(runFolder)].map((file) =>
    statSync(file, { throwIfNoEntry: false }),
  );
  return journal !== undefined && (transcript === undefined || transcript.mtimeMs < journal.mtimeMs);
}

export async function writeTranscript(runFolder: string, events: readonly CollabEvent[]): Promise<void> {
  write(runFolder, await tell(events));
}

async function tell(events: readonly CollabEvent[]): Promise<string> {
  // Imported late: the Markdown writer is only needed at the end.
  const { renderTranscript } = await import('../../views/transcript/transcript.ts');
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return renderTranscript(events);
}

function write(runFolder: string, transcript: string): void {
  writeAtomically(transcriptFile(runFolder), transcript);
}
