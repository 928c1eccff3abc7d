/** A quotation of the new side is at its own place, in every fixture and in generated changes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile, DiffLine, Hunk } from '../../parsers/diff/types.ts';
import { placeIssue } from './anchors.ts';
import { mergeFindings } from './merge.ts';
import { isSame, issueAt, passagesOf, placeOf, type Passage } from './passages.test-helper.ts';

const root = join(import.meta.dirname, '../../..');
const folders = ['test/fixtures/changes', 'examples', 'examples/held-out'];
const fixtures = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.diff'))
    .map((name) => join(folder, name)),
);

describe.each(fixtures)('%s', (name) => {
  const { files } = parseUnifiedDiff(readFileSync(join(root, name), 'utf8'));
  const passages = passagesOf(files);

  test('any 1 to 3 lines of the new side, quoted with their number, are placed on exactly these lines', () => {
    expect(passages.length).toBeGreaterThan(0);
    const wrong = passages.filter((passage) => !isSame(placeOf(passage, files), passage));
    expect(wrong.map(({ file, lines }) => `${file.path}:${lines[0]?.newLine} +${lines.length}`)).toEqual([]);
  });

  test('without a number they are placed there too, if no other place has their text', () => {
    const framed = passages.filter(({ lines }) => !isBlank(lines[0]) && !isBlank(lines.at(-1)));
    const counts = new Map<string, number>();
    for (const passage of framed) counts.set(keyOf(passage), (counts.get(keyOf(passage)) ?? 0) + 1);
    const once = framed.filter((passage) => counts.get(keyOf(passage)) === 1);
    const wrong = once.filter((passage) => {
      const place = placeIssue(issueAt(passage, { line: null }), files);
      return place.side === 'new' && !isSame(place, passage);
    });
    expect(wrong).toEqual([]);
  });

  test('other wording and moved lines leave the identity unchanged', () => {
    const moved = files.map(moveDown);
    const changed = passages.filter((passage) => {
      const line = passage.lines[0]?.newLine ?? 0;
      const identity = identityOf(issueAt(passage, {}), files);
      const reworded = identityOf(issueAt(passage, { title: 'Another title', text: 'Other words.' }), files);
      const later = identityOf(issueAt(passage, { line: line + moveLines }), moved);
      return reworded !== identity || later !== identity;
    });
    expect(changed).toEqual([]);
  });

  test('a quotation that is nowhere is kept, unplaced', () => {
    const place = placeIssue(
      { ...issueAt(passages[0], {}), quote: { text: 'nobody wrote this line', side: 'new' } },
      files,
    );
    expect(place).toMatchObject({
      path: passages[0]?.file.path,
      startLine: null,
      placement: 'unplaced',
      quote: 'nobody wrote this line',
    });
  });
});

/** Few words, so that most lines occur several times; some resemble parts of a diff or an answer. */
const word = fc.constantFrom('a();', 'b();', '', '}', '  ...', '- item', '+ 1', ' a();', '// …', '"x"');
const hunkText = fc
  .tuple(fc.array(fc.tuple(fc.constantFrom('+', '-', ' '), word), { minLength: 1, maxLength: 15 }))
  .map(([rows]) => rows);
const generated = fc.array(fc.array(hunkText, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});

test('in a generated change, the claimed line chooses between repeated texts', () => {
  fc.assert(
    fc.property(generated, (sources) => {
      const { files, faults } = parseUnifiedDiff(sources.map(renderSource).join(''));
      expect(faults).toEqual([]);
      for (const passage of passagesOf(files)) {
        const place = placeOf(passage, files);
        expect({ quote: passage.lines, same: isSame(place, passage) }).toEqual({
          quote: passage.lines,
          same: true,
        });
      }
    }),
  );
});

function renderSource(hunks: readonly (readonly (readonly [string, string])[])[], index: number): string {
  let [oldLine, newLine] = [10, 20];
  const body = hunks.map((rows) => {
    const count = (absent: string) => rows.filter(([mark]) => mark !== absent).length;
    const [old, created] = [count('+'), count('-')];
    const text = `@@ -${old === 0 ? oldLine - 1 : oldLine},${old} +${created === 0 ? newLine - 1 : newLine},${created} @@\n`;
    oldLine += old + 5;
    newLine += created + 5;
    return text + rows.map(([mark, line]) => `${mark}${line}\n`).join('');
  });
  return `--- a/f${index}\n+++ b/f${index}\n${body.join('')}`;
}

function keyOf({ file, lines }: Passage): string {
  return JSON.stringify([file.path, lines.map(({ text }) => text)]);
}

function isBlank(line: DiffLine | undefined): boolean {
  return line?.text.trim() === '';
}

function identityOf(issue: ReviewIssue, files: readonly DiffFile[]): string | undefined {
  return mergeFindings([[{ issue, place: placeIssue(issue, files) }]])[0]?.identity;
}

const moveLines = 37;

/** The same change in a file that has more lines above it. */
function moveDown(file: DiffFile): DiffFile {
  return { ...file, hunks: file.hunks.map(moveHunk) };
}

function moveHunk(hunk: Hunk): Hunk {
  const moved = (line: number | null) => (line === null ? null : line + moveLines);
  return {
    ...hunk,
    oldStart: hunk.oldStart + moveLines,
    newStart: hunk.newStart + moveLines,
    lines: hunk.lines.map((line) => ({
      ...line,
      oldLine: moved(line.oldLine),
      newLine: moved(line.newLine),
    })),
  };
}
