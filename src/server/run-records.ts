/** The records of a run as frames of a stream. */
import { readJournal } from '../runs/journal-reader.ts';
import { journalFile } from '../runs/journal.ts';
import { journalEnds } from '../runs/journal-ends.ts';
import { renderJournalFrame } from '../wire/journal-frame.ts';
import type { FrameSource } from './event-stream-port.ts';
import { createJournalFraming } from './framing.ts';
import { summariseRun, type RunPlace } from './run-view.ts';
import type { ServerContext } from './server-context.ts';

/** A run that a refusal has ended has no last record; its stream ends where its journal does. */
export async function recordsAfter(
  { streams }: Pick<ServerContext, 'streams'>,
  run: RunPlace,
): Promise<FrameSource> {
  const { runId, folder: runFolder } = run;
  const source = streams.source({ runId, runFolder, kind: 'journal', createFraming: createJournalFraming });
  const ends = journalEnds(runFolder);
  if (ends === null || ends.last.type === 'run.ended') return source;
  return (await summariseRun(run)).state === 'ended' ? wholeJournal(source, runFolder) : source;
}

function wholeJournal(source: FrameSource, runFolder: string): FrameSource {
  const frames = readJournal(journalFile(runFolder)).events.map(renderJournalFrame);
  const bytesAfter = (seq: number) => Buffer.from(frames.slice(seq).join(''));
  return {
    ...source,
    endSeq: () => frames.length,
    hasAll: (seq) => Promise.resolve(seq >= frames.length),
    async *read(after) {
      yield { bytes: bytesAfter(after), lastSeq: frames.length };
    },
  };
}
