// One event of a run through the journal, with and without its sync, against the bare system calls.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { heading, interleave, medianOf, ms, ratio, row, runsFrom, timed } from './measure.mjs';
import { repository } from './programs.mjs';

const runs = runsFrom(process.argv, 15);
const perRun = 50;
const { openJournal } = await import(await bundle(join(repository, 'src/engine/journal/journal.ts')));
const runFolder = mkdtempSync(join(tmpdir(), 'collab-bench-journal-'));
const journal = openJournal({
  runFolder,
  clock: { now: () => Date.now() },
  envelope: {
    runId: 'run',
    conversationId: 'run',
    tenantId: 'local',
    agent: { id: 'advisor', role: 'advisor', provider: 'codex' },
  },
});
const bare = openSync(join(runFolder, 'bare'), 'a');
try {
  const delta = {
    body: { type: 'text.delta', block_id: 'block-1', text: 'A line of an answer.\n' },
    turn: 1,
  };
  const begun = {
    body: { type: 'step.begun', step: 'review/chunk-1/turn-1', attempt: 1, input_digest: 'sha256:0' },
    turn: 1,
  };
  const line = `${JSON.stringify({ ...begun, padding: 'x'.repeat(200) })}\n`;
  const each = (work) => () =>
    timed(() => {
      for (let index = 0; index < perRun; index += 1) work();
    });
  const figures = await interleave(
    {
      write: each(() => writeSync(bare, line)),
      'journal, a plain event': each(() => journal.append([delta])),
      'write and fdatasync': each(() => {
        writeSync(bare, line);
        fdatasyncSync(bare);
      }),
      'journal, a commit point': each(() => {
        journal.append([begun]);
        journal.sync();
      }),
    },
    runs,
  );
  heading(`journal, one event a call; ${runs} interleaved runs of ${perRun}`);
  const of = (name) => medianOf(figures[name], 'wallMs') / perRun;
  for (const name of Object.keys(figures)) row(name, ms(of(name)));
  row(
    'a commit point ÷ write and fdatasync',
    ratio(of('journal, a commit point') / of('write and fdatasync')),
  );
} finally {
  closeSync(bare);
  journal.close();
  rmSync(runFolder, { recursive: true, force: true });
}
