// Counts habits that plain English does not have, in comments, messages, help and documents. Each room has a ceiling in
// `scripts/words.json` that may only fall: `npm run check:words`; `-- --list <room>` prints the places, `-- --write`
// lowers the ceilings to the current counts.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const ceilingsPath = join(root, 'scripts/words.json');

/** Each habit, and its replacement. */
const habits = [
  [/^(?:What|Who|Whose|Where|Whether|Of|By|Null|Absent)\b/, 'begin with a verb or a noun', 'comment'],
  [/\bwhere (?:there|it|they|he|she|a|an|no|none|nothing|nobody|one|that|this|its|they)\b/i, 'if, when'],
  [/\b(?:whoever|nobody|somebody)\b/i, 'say who: the user, the caller, the process'],
  [/\b(?:is|are|was|were|be|been) (?:told|heard)\b/i, 'is printed, logged, sent, received'],
  [
    /\b(?:is|are|was|were|be) (?:said|asked for) (?:by|of|with|so|in|when|where|to)\b/i,
    'is printed, requested',
  ],
  [/\b(?:stands|stand|lies|lie) (?:in|at|beside|below|above|under|there|alone|for all)\b/i, 'is in'],
  [/\b(?:mend|mends|mended|mending)\b/i, 'fix'],
  [
    /\b(?:on wish|anew|likewise|but for|besides|henceforth|shall|whereof|thereof)\b/i,
    'a plain word, or none',
  ],
  [
    /\b(?:a|an|each|every|of|no|one|the|this|that|last|first|its) (?:try|tries|grade|grades)\b/i,
    'attempt, severity',
  ],
  [
    /\b(?:comes to nothing|come to nothing|came to nothing|come through|comes through|came through)\b/i,
    'fails, ends',
  ],
  [/\b(?:comment of HTML|name of the model|names of models|page of HTML)\b/i, 'a compound: "HTML comment"'],
  [/\b(?:goes on|go on|went on|going on) (?:with|where|as|from|in|after|by)\b/i, 'continues, resumes'],
];

const { values } = parseArgs({ options: { list: { type: 'string' }, write: { type: 'boolean' } } });
const found = trackedFiles().flatMap(placesIn);
const counts = countByRoom(found);

if (values.list !== undefined) list(values.list);
else if (values.write === true) lower();
else report();

function report() {
  const ceilings = readCeilings();
  const rooms = [...new Set([...Object.keys(ceilings), ...Object.keys(counts)])].toSorted();
  const above = rooms.filter((room) => (counts[room] ?? 0) > (ceilings[room] ?? 0));
  for (const room of above) {
    print(
      `${room}: ${counts[room]} places, at most ${ceilings[room] ?? 0} (npm run check:words -- --list ${room})`,
    );
  }
  const total = found.length;
  print(`${total} places are not plain English; the ceilings allow ${sum(Object.values(ceilings))}`);
  if (above.length > 0) process.exitCode = 1;
}

function lower() {
  const ceilings = readCeilings();
  const rooms = Object.keys(counts).toSorted();
  const next = rooms.map((room) => [room, Math.min(ceilings[room] ?? 0, counts[room])]);
  writeFileSync(ceilingsPath, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
}

function list(room) {
  for (const place of found.filter((one) => one.room === room)) {
    print(`${place.path}:${place.line}: ${place.text.slice(0, 120)}  → ${place.instead}`);
  }
}

function placesIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const pieces = path.endsWith('.md') ? prosePieces(text) : codePieces(text);
  return pieces.flatMap(({ kind, line, text: piece }) =>
    habits
      .filter(([pattern, , only]) => (only === undefined || only === kind) && pattern.test(piece))
      .map(([, instead]) => ({ room: roomOf(path), path, line, text: piece, instead })),
  );
}

/** Returns comments, and string literals of three or more words. */
function codePieces(text) {
  const pieces = [];
  const tokens =
    /\/\*\*?([\s\S]*?)\*\/|(?<![:'"`\w/])\/\/([^\n]*)|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g;
  for (const match of text.matchAll(tokens)) {
    const line = text.slice(0, match.index).split('\n').length;
    const comment = match[1] ?? match[2];
    const literal = match[3] ?? match[4] ?? match[5];
    if (comment !== undefined) {
      for (const sentence of plain(comment).split(/(?<=[.;:!?])\s+(?=[A-Z])/)) {
        pieces.push({ kind: 'comment', line, text: sentence });
      }
    } else if (literal.trim().split(/\s+/).length >= 3)
      pieces.push({ kind: 'message', line, text: plain(literal) });
  }
  return pieces;
}

/** Returns paragraphs, without fences and code spans. */
function prosePieces(text) {
  let inFence = false;
  return text.split('\n').flatMap((raw, index) => {
    if (/^\s*(?:```|~~~)/.test(raw)) inFence = !inFence;
    if (inFence || raw.trim() === '' || isVerbatim(raw)) return [];
    return raw
      .replace(/`[^`]*`/g, '`…`')
      .split(/(?<=[.;!?])\s+(?=[A-Z])/)
      .map((sentence) => ({ kind: 'prose', line: index + 1, text: sentence.trim() }));
  });
}

/** Returns true for a rule of a specification in `references/requirements.md`, whose words are not ours. */
function isVerbatim(line) {
  return /^(?:- |\| )R\d{3}-\d/.test(line);
}

function plain(text) {
  return text
    .replace(/^[ \t]*\*[ \t]?/gm, '')
    .replace(/`[^`]*`/g, '`…`')
    .replace(/\s+/g, ' ')
    .trim();
}

function roomOf(path) {
  const [top = '', room = ''] = path.split('/');
  return top === 'src' && path.split('/').length > 2 ? `src/${room}` : top;
}

/** Lists texts for people and models: not the tests, and not the history in CHANGELOG's released part. */
function trackedFiles() {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => /\.(?:tsx?|mjs|md)$|^bin\/collab$/.test(path))
    .filter((path) => !/^(?:test|bench|examples)\/|\.test\.|\.test-helper\./.test(path))
    .filter((path) => path !== 'scripts/check-words.mjs');
}

function countByRoom(places) {
  const totals = {};
  for (const { room } of places) totals[room] = (totals[room] ?? 0) + 1;
  return totals;
}

function readCeilings() {
  try {
    return JSON.parse(readFileSync(ceilingsPath, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
