// A change of 5,000 lines in new files, one of them long, and the result of its review by the static rules.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collab, plainEnvironment, runProgram } from './programs.mjs';

/** Its added text stays below the 64 KiB of a file that are reviewed. */
const linesOfLongFile = 2000;
const otherFiles = 10;

/** Returns a diff of that many added lines, and its review as `collab review` prints it with `--format json`. */
export async function longReview(lines) {
  const linesOfOther = (lines - linesOfLongFile) / otherFiles;
  const diff = Array.from({ length: otherFiles + 1 }, (_, index) =>
    newFile(`src/part-${index}.ts`, index === 0 ? linesOfLongFile : linesOfOther),
  ).join('');
  const folder = mkdtempSync(join(tmpdir(), 'collab-bench-page-'));
  try {
    const options = { cwd: folder, env: { ...plainEnvironment(), HOME: folder }, input: diff, code: 1 };
    const command = [...collab, 'review', '-', '--advisor', 'static_review', '--format', 'json'];
    const { stdout } = await runProgram(command, options);
    return { diff, result: JSON.parse(stdout) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function newFile(path, count) {
  const lines = Array.from({ length: count }, (_, index) => `+${lineOf(index)}\n`);
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}`;
  return `${head}\n@@ -0,0 +1,${count} @@\n${lines.join('')}`;
}

/** A rule finds every hundredth line. */
function lineOf(index) {
  if (index % 100 === 50) return `export const tls${index} = { rejectUnauthorized: false };`;
  return `const a${index} = (b: Cart) => ${index};`;
}
