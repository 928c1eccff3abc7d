import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { screens } from '../../../test/fixtures/screens/event-streams.ts';
import { projectToResponses } from './response-projection.test-helper.ts';
import type { Response } from './response.ts';
import { createTerminalRenderer, type TerminalOptions } from './terminal-renderer.ts';

function screenOf(responses: readonly Response[], options: Partial<TerminalOptions> = {}): string {
  let screen = '';
  const renderer = createTerminalRenderer({
    write: (text) => {
      screen += text;
    },
    cwd: '/home/user/project',
    ...options,
  });
  for (const response of responses) renderer.render(response);
  renderer.finish();
  return screen;
}

const init: Response = {
  type: 'init',
  content: 'Claude Code',
  session_id: 's1',
  model: 'opus',
  content_type: 'text',
};
const done: Response = { type: 'result', content: 'duration_ms=1', token: 3, content_type: 'text' };
type Said = Exclude<Response, { type: 'init' | 'result' }>;
function message(content: string): Said {
  return { type: 'message', content, content_type: 'markdown' };
}
function use(tool: string, content: string): Said {
  return { type: 'tool_use', tool, content, content_type: 'text' };
}
function result(tool: string, content: string): Said {
  return { type: 'tool_result', tool, content, content_type: 'text' };
}
function nested(response: Said, { id = 'codex', depth = 1 } = {}): Response {
  return { ...response, speaker: { id, name: 'Codex', depth, session_id: 'thread-1', model: 'gpt-5-codex' } };
}

describe('the five example screens', () => {
  test.each([1, 2, 3, 4, 5] as const)('R000-15.3 R000-25 pattern %i comes out byte for byte', (pattern) => {
    const golden = readFileSync(
      new URL(`../../../test/fixtures/screens/pattern-${pattern}.txt`, import.meta.url),
      'utf8',
    );
    expect(screenOf(projectToResponses(screens[pattern]))).toBe(golden);
  });

  test.each([1, 2, 3, 4, 5] as const)('X000-12.2 pattern %i in colour is the same text', (pattern) => {
    const responses = projectToResponses(screens[pattern]);
    const colored = screenOf(responses, { color: true });
    expect(colored).toContain('\u001b[');
    expect(stripVTControlCharacters(colored)).toBe(screenOf(responses));
  });

  test.each([1, 2, 3, 4, 5] as const)('X000-11.1 pattern %i without colour holds no escape', (pattern) => {
    expect(screenOf(projectToResponses(screens[pattern]))).not.toContain('\u001b');
  });
});

describe('the opening and the end', () => {
  test('R000-9 the opening stands after an empty line', () => {
    expect(screenOf([init])).toBe('\n🚀 Claude Code: model=opus, id=s1\n');
  });

  test('X000-1 an unknown session is left out, an unknown model is called so', () => {
    expect(screenOf([{ type: 'init', content: 'Codex', content_type: 'text' }])).toBe(
      '\n🚀 Codex: model=unknown\n',
    );
  });

  test('R000-14 X000-2.1 the statistics stand after an empty line, the next context beside them', () => {
    expect(screenOf([init, done])).toBe(
      '\n🚀 Claude Code: model=opus, id=s1\n\n📊 duration_ms=1, next_session_tokens=3\n',
    );
  });

  test('X000-2.2,3 without statistics the next context stands alone, and it is never said twice', () => {
    expect(screenOf([{ ...done, content: '' }])).toBe('\n📊 next_session_tokens=3\n');
    expect(screenOf([{ ...done, content: 'next_session_tokens=9' }])).toBe('\n📊 next_session_tokens=9\n');
  });

  test('R000-11 R000-12 a tool is one line, its result one indented line below', () => {
    expect(screenOf([use('Grep', 'total'), result('Grep', 'a.ts:1\nb.ts:2\n')])).toBe(
      '🔍 Searching for: total\n  → Found 2 matches\n',
    );
  });

  test('R000-23 R000-24 a tool whose result says nothing is its use line alone', () => {
    expect(screenOf([use('WebFetch', 'https://example.org'), result('WebFetch', 'a page')])).toBe(
      '🌐 Fetching: https://example.org\n',
    );
  });

  test('a stream that stops in the middle of a line ends it', () => {
    expect(screenOf([message('Hel')])).toBe('\nHel\n');
  });
});

describe('empty lines', () => {
  test('R000-10 X000-12.1 pieces of a message follow each other with nothing between', () => {
    expect(screenOf([init, message('Hel'), message('lo\n'), message('there')])).toBe(
      '\n🚀 Claude Code: model=opus, id=s1\n\nHello\nthere\n',
    );
  });

  test.each([
    ['no line end', 'One.'],
    ['a line end', 'One.\n'],
  ])('X000-3.2 a tool line follows a message with %s directly', (_, text) => {
    expect(screenOf([message(text), use('Bash', 'ls')])).toBe('\nOne.\n🔧 ls\n');
  });

  test.each([
    ['none', ['Two.']],
    ['one', ['\nTwo.']],
    ['two', ['\n\nTwo.']],
    ['two in pieces of their own', ['\n', '\n', 'Two.']],
    ['a line of blanks', ['\n', '  ', '\n', 'Two.']],
  ])('X000-3.4 one empty line after a tool, whatever line ends the model brings: %s', (_, pieces) => {
    expect(screenOf([use('Bash', 'ls'), ...pieces.map(message)])).toBe('🔧 ls\n\nTwo.\n');
  });

  test('X000-3.5 empty lines that the model wrote itself stay as many as they are', () => {
    expect(screenOf([use('Bash', 'ls'), message('\n\n\nTwo.')])).toBe('🔧 ls\n\n\nTwo.\n');
  });

  test('X000-3.1 one empty line stands between the opening and a tool', () => {
    expect(screenOf([init, use('Bash', 'ls')])).toBe('\n🚀 Claude Code: model=opus, id=s1\n\n🔧 ls\n');
  });

  test('X000-3.3 white space alone between two tools shows nothing', () => {
    expect(screenOf([use('Bash', 'a'), message('\n\n'), use('Bash', 'b')])).toBe('🔧 a\n🔧 b\n');
  });

  test('X000-3.5 the indentation of a message’s first line stays', () => {
    expect(screenOf([use('Bash', 'a'), message('\n    code')])).toBe('🔧 a\n\n    code\n');
  });

  test('X000-3.5 line ends that close a message count for the empty line before the statistics', () => {
    expect(screenOf([message('One.\n'), done])).toBe('\nOne.\n\n📊 duration_ms=1, next_session_tokens=3\n');
    expect(screenOf([message('One.\n\n'), done])).toBe('\nOne.\n\n📊 duration_ms=1, next_session_tokens=3\n');
  });

  test('X000-3.5,6 we never write two empty lines in a row, and cutting a message changes nothing', () => {
    const words = fc.array(fc.constantFrom('a', ' ', '\n', 'b.'), { maxLength: 6 });
    const responses = fc.array(
      fc.oneof(
        words.map((parts) =>
          message(
            parts
              .join('')
              .replace(/\n[ \n]*\n/g, '\n')
              .trimEnd(),
          ),
        ),
        fc.constant(use('Bash', 'ls')),
        fc.constant(nested(use('Bash', 'ls'))),
        fc.constant(nested(message('x'))),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(responses, (list) => {
        const whole = screenOf([init, ...list, done]);
        expect(whole).not.toMatch(/\n\n\n/);
        expect(screenOf([init, ...list.flatMap(intoPieces), done])).toBe(whole);
      }),
    );
  });
});

function intoPieces(response: Response): readonly Response[] {
  if (response.type !== 'message') return [response];
  return response.content.split('').map((content) => ({ ...response, content }));
}

describe('errors', () => {
  const error: Response = { type: 'error', content: 'ENOENT\n\u001b[31m', content_type: 'text' };

  test('R000-6.2 R000-13 X000-8.1 an error leaves no trace on the screen', () => {
    expect(screenOf([message('One'), error, message(' two.')])).toBe(screenOf([message('One two.')]));
  });

  test('X000-8.1,5 under --verbose it is handed out, dimmed, and the screen stays as it was', () => {
    const errors: string[] = [];
    const options = { color: true, onHiddenError: (line: string) => errors.push(line) };
    expect(screenOf([message('One'), error], options)).toBe('\nOne\n');
    expect(errors).toEqual(['\u001b[2mENOENT ␛[31m\u001b[22m']);
  });

  test('R000-25.2 the failure of a tool is not handed out: the model tells of it', () => {
    const errors: string[] = [];
    const failed: Response = { ...error, tool: 'Read' };
    screenOf([use('Read', 'a.ts'), failed], { onHiddenError: (line) => errors.push(line) });
    expect(errors).toEqual([]);
  });
});

describe('other speakers', () => {
  test('X000-10.1,2 the advisor is labelled once and indented, the lead goes on at the margin', () => {
    expect(
      screenOf([
        message('I ask.'),
        nested(message('Fi')),
        nested(message('rst\nsec')),
        nested(message('ond')),
        nested(use('Bash', 'ls')),
        nested(result('Bash', 'a')),
        message('Thanks.'),
        nested(message('Welcome.')),
        done,
      ]),
    ).toBe(
      [
        '',
        'I ask.',
        '',
        '  🚀 Codex: model=gpt-5-codex, id=thread-1',
        '',
        '  First',
        '  second',
        '  🔧 ls',
        '    → a',
        '',
        'Thanks.',
        '',
        '  Welcome.',
        '',
        '📊 duration_ms=1, next_session_tokens=3',
        '',
      ].join('\n'),
    );
  });

  test('X000-10.1 each level is indented by two more, and the same name may stand at several', () => {
    expect(screenOf([nested(message('a'), { id: 'deep', depth: 2 })])).toBe(
      '\n    🚀 Codex: model=gpt-5-codex, id=thread-1\n\n    a\n',
    );
  });
});

describe('foreign text', () => {
  test('X000-6.2 escapes in messages are shown, also when they come in two pieces', () => {
    expect(screenOf([message('a\u001b'), message('[31mred')])).toBe('\na␛[31mred\n');
  });

  test('X000-6.2 what a message ends with is shown, also when it was waiting for more', () => {
    expect(screenOf([message('a\r'), use('Bash', 'ls')])).toBe('\na␍\n🔧 ls\n');
    expect(screenOf([message('a\r')])).toBe('\na␍\n');
  });

  test('X000-6.2 escapes in names, commands, paths and results do nothing', () => {
    const hostile = '\u001b]0;x\u0007\r\n\u202e';
    expect(
      screenOf([
        { ...init, content: `Cl${hostile}`, session_id: hostile, model: hostile },
        use('Bash', `ls ${hostile}`),
        result('Bash', `a${hostile}`),
        use('Read', `/etc/${hostile}`),
        use(hostile, hostile),
        result(hostile, hostile),
        { ...done, content: hostile },
      ]),
    ).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  test('X000-11.2 --ascii leaves no emoji of ours', () => {
    const responses = Object.values(screens).flatMap(projectToResponses);
    const everyTool = ['LS', 'Write', 'TodoRead', 'TodoWrite', 'WebSearch', 'WebFetch', 'Task', 'other'];
    const screen = screenOf(
      [...responses, ...everyTool.flatMap((tool) => [use(tool, 'x'), result(tool, 'y')])],
      {
        ascii: true,
      },
    );
    // oxlint-disable-next-line no-control-regex
    expect(screen).toMatch(/^[\n\x20-\x7e]*$/);
    expect(screen).toContain('[init] Claude Code: model=');
    expect(screen).toContain('[bash] echo hello\n  -> hello\n');
  });
});
