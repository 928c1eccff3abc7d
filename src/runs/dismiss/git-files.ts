/** Lets git keep the history of `.collab`, which it ignores otherwise, and merge it line by line. */
import { join } from 'node:path';
import { orNull } from '../../errors/has-code.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically, writeNew } from '../../system/files/write.ts';

/** The text that collab itself writes there when it creates the folder. */
const everything = '*\n';
const withoutHistory = '*\n!/.gitattributes\n!/history.jsonl\n';
const attributes = 'history.jsonl merge=union\n';

/** `folder` is `.collab`. Files with other texts are their owner's and stay. @throws CollabError `input`, `file` */
export function keepHistoryInGit(folder: string): void {
  const ignore = join(folder, '.gitignore');
  const text = readIfThere(ignore);
  if (text === null || text === everything) writeAtomically(ignore, withoutHistory, { shared: true });
  orNull(() => writeNew(join(folder, '.gitattributes'), attributes, { mode: 0o666 }), 'EEXIST');
}
