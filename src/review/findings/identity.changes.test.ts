/** Findings on real changes are recognized after the change is edited. */
import { expect, test } from 'vitest';
import { releaseDifferences } from '../../../test/changes/differences.ts';
import type { Finding } from '../../events/collab-event.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile, DiffLine, Hunk } from '../../parsers/diff/types.ts';
import { claimClasses, type ClaimClass } from '../../tags/claims.ts';
import { placeIssue, type PlacedIssue } from './anchors.ts';
import { followBaseline, takeBaseline } from './baseline.ts';
import { mergeFindings } from './merge.ts';
import { matchFindings } from './match-findings.ts';
import { issueAt, passagesOf, type Passage } from './passages.test-helper.ts';
import { exampleResult } from '../outcome/result.test-helper.ts';

const changes = [...releaseDifferences()].map(({ diff }) => parseUnifiedDiff(diff).files);

/** An edit of a change: each file, and each of its lines that is quoted. */
interface Edit {
  readonly file: (file: DiffFile, quoted: readonly DiffLine[]) => DiffFile;
  /** The lines quoted now; by default as many as before. */
  readonly quoted?: (passage: Passage) => Passage;
}

const edits: Readonly<Record<string, Edit>> = {
  'moved down': { file: (file) => withLines(file, (hunk) => hunk, 700) },
  'indented deeper': {
    file: (file) =>
      withLines(file, (hunk) => ({
        ...hunk,
        lines: hunk.lines.map((line) => ({ ...line, text: `\t${line.text}` })),
      })),
  },
  'with equal lines above': {
    file: (file, quoted) =>
      withLines(file, (hunk) => {
        const [first] = hunk.lines;
        const twins = quoted.filter((line) => hunk.lines.includes(line));
        const above =
          first === undefined ? [] : twins.map(({ text }) => ({ ...first, kind: 'added' as const, text }));
        return { ...hunk, lines: [...above, ...hunk.lines] };
      }),
  },
  'with one more line quoted': { file: (file) => file, quoted: (passage) => longer(passage, 1) },
  'with one line fewer quoted': {
    file: (file) => file,
    quoted: ({ file, lines }) => ({ file, lines: lines.length < 2 ? lines : lines.slice(0, -1) }),
  },
  'in a renamed file': {
    file: (file) => ({ ...file, path: `moved/${file.path}`, oldPath: file.path, change: 'renamed' }),
  },
};

type ClassOf = (index: number) => ClaimClass | undefined;

const none: ClassOf = () => undefined;
const anyClass: ClassOf = (index) => claimClasses[index % claimClasses.length];
const otherClass: ClassOf = (index) => anyClass(index + 1);

/** The classes of the findings in the earlier review and in the later one. */
const ways: Readonly<Record<string, readonly [ClassOf, ClassOf]>> = {
  'without classes': [none, none],
  'with classes': [anyClass, anyClass],
  'with classes since then': [none, anyClass],
};

const tests = Object.entries(edits).flatMap(([how, edit]) =>
  Object.entries(ways).map(([way, classes]) => [`${how}, ${way}`, edit, classes] as const),
);

test.each(tests)('at least 99 of 100 findings are recognized %s', (_how, edit, [classBefore, classNow]) => {
  let [found, right, wrong] = [0, 0, 0];
  for (const { passages, files, later, edited } of changes.map((change) => editedBy(change, edit))) {
    const former = findingsAt(passages, files, 'before', classBefore);
    const present = findingsAt(later, edited, 'after', classNow);
    found += former.length;
    for (const pair of pairsOf(former, present, edited)) {
      if (numberIn(pair.former.title) === numberIn(pair.present.title)) right += 1;
      else wrong += 1;
    }
  }
  expect(found).toBeGreaterThan(900);
  expect(right / found).toBeGreaterThanOrEqual(0.99);
  expect(wrong / found).toBeLessThan(0.01);
});

test.each(Object.entries(edits))('two classes at one line are never the same finding %s', (_how, edit) => {
  let [found, right] = [0, 0];
  for (const { passages, files, later, edited } of changes.map((change) => editedBy(change, edit))) {
    const both = (places: readonly Passage[], of: readonly DiffFile[], word: string) =>
      mergeFindings([issuesAt(places, of, word, anyClass), issuesAt(places, of, word, otherClass)]);
    const former = both(passages, files, 'before');
    const present = both(later, edited, 'after');
    expect(former).toHaveLength(passages.length * 2);
    expect(new Set(present.map(({ identity }) => identity)).size).toBe(passages.length * 2);
    const pairs = pairsOf(former, present, edited);
    expect(pairs.filter((pair) => pair.former.claim !== pair.present.claim)).toEqual([]);
    found += former.length;
    right += pairs.filter((pair) => numberIn(pair.former.title) === numberIn(pair.present.title)).length;
    const replaced = pairsOf(
      findingsAt(passages, files, 'before', anyClass),
      findingsAt(passages, files, 'after', otherClass),
      files,
    );
    expect(replaced.filter((pair) => numberIn(pair.former.title) === numberIn(pair.present.title))).toEqual(
      [],
    );
  }
  expect(right / found).toBeGreaterThanOrEqual(0.99);
});

interface EditedChange {
  readonly passages: readonly Passage[];
  readonly files: readonly DiffFile[];
  /** The same passages in the edited files. */
  readonly later: readonly Passage[];
  readonly edited: readonly DiffFile[];
}

function editedBy(files: readonly DiffFile[], edit: Edit): EditedChange {
  const passages = sampleOf(files);
  const quoted = passages.flatMap(({ lines }) => lines);
  const edited = files.map((file) => edit.file(file, quoted));
  const later = passages.map((passage) => (edit.quoted ?? same)(inEdited(passage, files, edited)));
  return { passages, files, later, edited };
}

function pairsOf(former: readonly Finding[], present: readonly Finding[], edited: readonly DiffFile[]) {
  const baseline = takeBaseline(exampleResult({ findings: [...former] }), 'baseline');
  return matchFindings(followBaseline(baseline, edited, () => undefined).findings, present);
}

const perChange = 20;

/** Up to twenty passages of two lines, evenly over a change, none beside another. */
function sampleOf(files: readonly DiffFile[]): readonly Passage[] {
  const passages = passagesOf(files).filter(({ lines }) => lines.length === 2 && isTelling(lines));
  const apart: Passage[] = [];
  for (const passage of passages) {
    const last = apart.at(-1);
    if (last === undefined || last.file !== passage.file || lineOf(passage) - lineOf(last) > 4)
      apart.push(passage);
  }
  const step = Math.max(1, Math.floor(apart.length / perChange));
  return apart.filter((_, index) => index % step === 0).slice(0, perChange);
}

function lineOf({ lines }: Passage): number {
  return lines[0]?.newLine ?? 0;
}

/** Nobody quotes two brackets. */
function isTelling(lines: readonly DiffLine[]): boolean {
  return lines.every(({ text }) => /\p{L}{3}/u.test(text));
}

function findingsAt(
  passages: readonly Passage[],
  files: readonly DiffFile[],
  word: string,
  classOf: ClassOf,
): readonly Finding[] {
  return mergeFindings([issuesAt(passages, files, word, classOf)]);
}

function issuesAt(
  passages: readonly Passage[],
  files: readonly DiffFile[],
  word: string,
  classOf: ClassOf,
): readonly PlacedIssue[] {
  return passages.map((passage, index) => {
    const title = `${word} ${(word === 'before' ? 'p' : 'q').repeat(index + 1)}`;
    const issue = issueAt(passage, { title, class: classOf(index) });
    return { issue, place: placeIssue(issue, files) };
  });
}

/** No word of the titles before is in those after. */
function numberIn(title: string): number {
  return title.split(' ')[1]?.length ?? -1;
}

function same(passage: Passage): Passage {
  return passage;
}

/** Returns the same lines after the edit: those at the same distance from the end of their hunk. */
function inEdited(passage: Passage, files: readonly DiffFile[], edited: readonly DiffFile[]): Passage {
  const index = files.indexOf(passage.file);
  const file = edited[index] ?? passage.file;
  const [first] = passage.lines;
  const hunk = passage.file.hunks.findIndex(({ lines }) => first !== undefined && lines.includes(first));
  const lines = newSide(passage.file.hunks[hunk]);
  const linesNow = newSide(file.hunks[hunk]);
  const fromEnd = first === undefined ? 0 : lines.length - lines.indexOf(first);
  const start = linesNow.length - fromEnd;
  return { file, lines: linesNow.slice(start, start + passage.lines.length) };
}

function longer({ file, lines }: Passage, by: number): Passage {
  const last = lines.at(-1);
  const all = file.hunks.map(newSide).find((side) => last !== undefined && side.includes(last)) ?? [];
  const end = last === undefined ? 0 : all.indexOf(last) + 1;
  return { file, lines: [...lines, ...all.slice(end, end + by)] };
}

function newSide(hunk: Hunk | undefined): readonly DiffLine[] {
  return hunk?.lines.filter(({ newLine }) => newLine !== null) ?? [];
}

/** Edits the hunks and numbers their new lines again. */
function withLines(file: DiffFile, edit: (hunk: Hunk) => Hunk, offset = 0): DiffFile {
  let added = offset;
  return {
    ...file,
    hunks: file.hunks.map((hunk) => {
      let next = hunk.newStart + added;
      const edited = edit(hunk);
      added += edited.lines.length - hunk.lines.length;
      const lines = edited.lines.map((line) => {
        if (line.kind === 'removed') return line;
        next += 1;
        return { ...line, newLine: next - 1 };
      });
      return { ...edited, newStart: hunk.newStart + offset, lines };
    }),
  };
}
