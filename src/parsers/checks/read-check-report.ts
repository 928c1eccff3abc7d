/** Reads the report of a check: SARIF, JUnit XML, or any other text. */
import type { CheckResults } from './check-results.ts';
import { readJUnit } from './read-junit.ts';
import { readSarif } from './read-sarif.ts';

/** `name` is the name in messages; its extension decides, otherwise the beginning of the text. @throws CollabError `input` */
export function readCheckReport(name: string, text: string): CheckResults {
  switch (formatOf(name, text)) {
    case 'sarif':
      return readSarif(name, text);
    case 'junit':
      return readJUnit(name, text);
    case 'text':
      return readPlain(text);
  }
}

function formatOf(name: string, text: string): 'sarif' | 'junit' | 'text' {
  if (/\.(?:sarif|json)$/iu.test(name)) return 'sarif';
  if (/\.xml$/iu.test(name)) return 'junit';
  const beginning = text.trimStart().slice(0, 200);
  if (/^<(?:\?xml|testsuites?)\b/u.test(beginning)) return 'junit';
  return beginning.startsWith('{') && /"(?:\$schema|version|runs)"/u.test(beginning) ? 'sarif' : 'text';
}

/** The end of a log says how it ended, its beginning what ran. */
function readPlain(text: string): CheckResults {
  const lines = text.trimEnd().split(/\r\n|[\r\n]/u);
  const summary = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'} of text`;
  if (text.trim() === '') return { summary: 'empty', items: [] };
  if (lines.join('\n').length <= mostCharacters)
    return { summary, items: [{ path: null, text: lines.join('\n') }] };
  const first = upTo(lines, mostCharacters / 4);
  const last = upTo(lines.slice(first.length).toReversed(), (mostCharacters / 4) * 3).toReversed();
  const left = lines.length - first.length - last.length;
  const whole = [...first, `[cut: ${left} ${left === 1 ? 'line' : 'lines'}]`, ...last].join('\n');
  return { summary, items: [{ path: null, text: whole }] };
}

/** The length of a log in a run's input. */
const mostCharacters = 6000;

function upTo(lines: readonly string[], characters: number): readonly string[] {
  const kept: string[] = [];
  let room = characters;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return kept;
}
