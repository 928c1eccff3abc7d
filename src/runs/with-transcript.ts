/** Writes `transcript.md` into the run's folder when the run leaves this process, in whatever way. */
import { join } from 'node:path';
import type { CollabEvent } from '../events/collab-event.ts';
import type { DriveFolderOptions } from './drive-folder-options.ts';
import type { Departure } from './engine-port.ts';
import { hearEvents } from './heard-events.ts';
import { writeAtomically } from './run-folder.ts';

export function transcriptFile(runFolder: string): string {
  return join(runFolder, 'transcript.md');
}

/** Who lost the lock writes nothing, and a drive that recorded nothing leaves the transcript that there is. */
export async function withTranscript<Result, Options extends DriveFolderOptions>(
  options: Options,
  drive: (options: Options) => Promise<Departure<Result>>,
): Promise<Departure<Result>> {
  const heard = hearEvents(options.runFolder);
  let isOurs = true;
  const onEvent = (event: CollabEvent): void => {
    heard.push(event);
    options.onEvent?.(event);
  };
  try {
    const departure = await drive({ ...options, onEvent });
    isOurs = departure.kind !== 'interrupted' || departure.reason !== 'lock_lost';
    return departure;
  } finally {
    if (isOurs && heard.any()) await writeTranscript(options.runFolder, heard.all());
  }
}

export async function writeTranscript(runFolder: string, events: readonly CollabEvent[]): Promise<void> {
  // Behind an import: what writes Markdown is needed when all else is done.
  const { renderTranscript } = await import('../reports/transcript.ts');
  writeAtomically(transcriptFile(runFolder), renderTranscript(events));
}
