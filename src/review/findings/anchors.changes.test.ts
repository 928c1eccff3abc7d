import { expect, test } from 'vitest';
import { releaseDifferences } from '../../../test/changes/differences.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { wholeFile } from '../../parsers/diff/whole-file.ts';
import { readIssues } from '../../parsers/issues/read-issues.ts';
import { placeInWhole, placeIssue, searchedIssue, type FindingPlace, type PlacedIssue } from './anchors.ts';
import { mergeFindings } from './merge.ts';
import { isSame, passagesOf, placeOf } from './passages.test-helper.ts';

const changes = [...releaseDifferences()].map(({ name, diff, after }) => ({
  name,
  after,
  files: parseUnifiedDiff(diff).files,
}));

test.each(changes)(
  'any 1 to 3 lines of $name, quoted with their number, are placed on exactly these lines',
  ({ files }) => {
    const passages = passagesOf(files);
    const wrong = passages.filter((passage) => !isSame(placeOf(passage, files), passage));
    expect(wrong.map(({ file, lines }) => `${file.path}:${lines[0]?.newLine} +${lines.length}`)).toEqual([]);
  },
);

/** Lines of the new side of a file. */
interface Quoted {
  readonly file: DiffFile;
  readonly start: number;
  readonly lines: readonly string[];
}

/** The ways in which models quote lines, as the body of an item. */
const forms: Readonly<Record<string, (quoted: Quoted) => string>> = {
  'in a fence': ({ lines }) => fence(lines),
  'with numbers and colons': ({ lines, start }) =>
    fence(lines.map((line, index) => `${start + index}: ${line}`)),
  'with numbers and bars': ({ lines, start }) =>
    fence(lines.map((line, index) => `${start + index} | ${line}`)),
  'as cat -n shows them': ({ lines, start }) =>
    fence(lines.map((line, index) => `${String(start + index).padStart(6)}\t${line}`)),
  'with marks': ({ lines }) => fence(lines.map((line) => `+${line}`)),
  'with a mark before the first': ({ lines }) =>
    fence(lines.map((line, index) => (index === 0 ? `+${line}` : line))),
  'in a diff fence': ({ lines }) => fence(['@@ -1 +1 @@', ...lines.map((line) => `+${line}`)], 'diff'),
  'without their indentation': ({ lines }) => fence(lines.map((line) => line.trimStart())),
  'with Windows line ends': ({ lines }) => fence(lines.map((line) => `${line}\r`)),
  'as inline code': ({ lines }) => lines.map((line) => `    ${span(line)}`).join('\n'),
};

test.each(Object.entries(forms))('lines %s are placed in the change and outside of it', (_how, write) => {
  for (const isOutside of [false, true]) {
    const found = changes.flatMap(({ files, after }) =>
      sampleOf(files, after, isOutside).map((quoted) => ({
        quoted,
        at: placed(quoted, files, after, write),
      })),
    );
    const wrong = found.filter(({ quoted, at }) => at.startLine !== null && !isAt(quoted, at));
    const right = found.filter(({ quoted, at }) => isAt(quoted, at));
    expect(
      wrong.map(({ quoted: { file, start }, at }) => `${file.path}:${start} ${at.path}:${at.startLine}`),
    ).toEqual([]);
    expect(found.length).toBeGreaterThan(500);
    expect(right.length / found.length).toBeGreaterThanOrEqual(0.99);
  }
});

test('a replacement of any two lines takes the place of exactly these, in the change and outside of it', () => {
  for (const isOutside of [false, true]) {
    const found = changes.flatMap(({ files, after }) =>
      sampleOf(files, after, isOutside).map((quoted) => {
        const { issue, place } = placedIssue(quoted, files, after, writeReplacement);
        const [finding] = mergeFindings([[{ issue, place }]]);
        return { quoted, place, finding };
      }),
    );
    const used = found.filter(({ finding }) => finding?.replacement !== undefined);
    const wrong = used.filter(
      ({ quoted, place, finding }) =>
        !isAt(quoted, place) || finding?.replacement !== replacementOf(quoted) || finding.claim !== 'tests',
    );
    expect(wrong.map(({ quoted: { file, start } }) => `${file.path}:${start}`)).toEqual([]);
    expect(used.length / found.length).toBeGreaterThanOrEqual(0.99);
  }
});

function writeReplacement(quoted: Quoted): string {
  const parts = [
    fence(quoted.lines),
    '    Class: tests',
    '    Replacement:',
    fence(replacementOf(quoted).split('\n')),
  ];
  return parts.join('\n');
}

/** Other lines with the indentation of the quoted ones. */
function replacementOf({ lines }: Quoted): string {
  return lines.map((line) => `${/^\s*/.exec(line)?.[0]}begin_${line.trim()}`).join('\n');
}

function placed(...quoted: Parameters<typeof placedIssue>): FindingPlace {
  return placedIssue(...quoted).place;
}

function placedIssue(
  quoted: Quoted,
  files: readonly DiffFile[],
  after: (path: string) => string,
  write: (quoted: Quoted) => string,
): PlacedIssue {
  const { file, start } = quoted;
  const reading = readIssues(
    `### Minor\n1. **A title** — \`${file.path}:${start}\`\n${write(quoted)}\n    Why: it is wrong.\n`,
  );
  const [issue] = reading.kind === 'read' ? reading.issues : [];
  if (issue === undefined) throw new Error(`no issue about ${file.path}:${start}`);
  const place = placeIssue(issue, files);
  const searched = searchedIssue({ issue, place }, files);
  if (searched === null) return { issue, place };
  const outside = placeInWhole(searched, wholeFile(searched.path, after(searched.path)));
  return { issue, place: outside ?? place };
}

function isAt({ file, start, lines }: Quoted, { path, side, startLine, endLine }: FindingPlace): boolean {
  return path === file.path && side === 'new' && startLine === start && endLine === start + lines.length - 1;
}

/** Up to eight passages of two lines of each change, in its hunks or outside of them. */
function sampleOf(
  files: readonly DiffFile[],
  after: (path: string) => string,
  isOutside: boolean,
): readonly Quoted[] {
  const all = files.flatMap((file) => {
    const lines = after(file.path).split('\n');
    const shown = new Set(file.hunks.flatMap((hunk) => hunk.lines.map(({ newLine }) => newLine)));
    return lines.flatMap((_, index) => {
      const quoted = { file, start: index + 1, lines: lines.slice(index, index + 2) };
      const isShown = [index + 1, index + 2].map((number) => shown.has(number));
      return isShown.every((each) => each !== isOutside) && quoted.lines.every(isTelling) ? [quoted] : [];
    });
  });
  const step = Math.max(1, Math.ceil(all.length / 8));
  return all.filter((_, index) => index % step === 0);
}

/** Nobody quotes a bracket alone; a line of 300 characters would be cut. */
function isTelling(line: string | undefined): boolean {
  return line !== undefined && /\p{L}{3}/u.test(line) && line.length < 300;
}

function fence(lines: readonly string[], language = ''): string {
  return ['```````' + language, ...lines, '```````'].map((line) => `    ${line}`).join('\n');
}

function span(line: string): string {
  return line.includes('`') ? `\`\`\`\` ${line} \`\`\`\`` : `\`${line}\``;
}
