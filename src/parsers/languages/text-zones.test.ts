import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Language } from './language.ts';
import { textZonesOf, zoneAt } from './text-zones.ts';

/** Each row is a text in which `§` marks the code and `¶` the rest. */
test.each<readonly [Language, string]>([
  ['python', 'a = §1 # ¶ "b"\n§b'],
  ['python', '"""¶\n¶ # "x"\n"""\n§'],
  ['python', "x = '''¶ \\''' ¶''' + §"],
  ['python', 'x = "# ¶" + §'],
  ['python', 'x = "¶ never closed\n§'],
  ['ruby', "sql = <<~SQL\n ¶ # it's\nSQL\n§"],
  ['ruby', 'a <<B\n§ "¶"'],
  ['ruby', '§\n=begin\n¶\n=end\n§'],
  ['php', "$a = <<<'TXT'\n¶\nTXT;\n§ # ¶"],
  ['go', 'a := `¶\n\\` + § // ¶\n§'],
  ['go', 'a := \'"\' + § + "¶"'],
  ['java', 'String a = """\n ¶ "b" ¶\n"""; § /* ¶ // */ §'],
  ['csharp', 'var a = @"¶\\" + §;'],
  ['rust', "fn a<'a>(b: &'a str) { § } // ¶"],
  ['rust', "let a = '\"'; § /* ¶ /* ¶ */ ¶ */ §"],
  ['rust', 'let a = r#"¶ " ¶"# + §'],
  ['c', 'a = "¶ // ¶"; § /* ¶\n¶ */ §'],
  ['swift', 'let a = """\n¶\n"""; §'],
  ['sql', "insert into a values ('¶ -- ¶\n¶''¶'); § -- ¶"],
  ['shell', 'a=$# § # ¶\n§'],
  ['shell', 'cat <<EOF\n¶ # ¶\nEOF\n§'],
  ['shell', "cat <<-'EOF' | tee §\n\t¶\n\tEOF\n§"],
  ['shell', 'sudo bash <<EOF\n§\nEOF\n§'],
  ['shell', 'cat <<< "$a" §\n§'],
  ['shell', 'a=$((1<<B)) §\n§'],
  ['shell', 'usage="¶\n¶ # ¶"\n§'],
  ['shell', 'bash -c "§" && ssh host "\n§\n"'],
  ['shell', "echo it\\'s § # ¶ it's\n§"],
  ['yaml', 'run: "§" # ¶\nurl: https://a.test/#§'],
  ['terraform', 'url = "http://§" // ¶'],
  ['settings', 'a = b # §\n  ; ¶\n§'],
  ['markup', '<a href="//§"> <!-- ¶\n¶ --> §'],
  ['prose', '§\n```sh\n¶\n```\n§'],
  ['other', 'see https://§\n  // ¶ */\n§ /* ¶ */ §'],
])('in %s, comments and strings are no code: %s', (language, text) => {
  const zones = textZonesOf(text, language);
  const seen = text.split('').map((_, offset) => (zoneAt(zones, offset) === null ? '§' : '¶'));
  const marks = [...text.matchAll(/[§¶]/g)];
  expect(marks.map(({ index }) => seen[index])).toEqual(marks.map(([mark]) => mark));
});

describe('a zone', () => {
  const languages = ['python', 'ruby', 'rust', 'shell', 'sql', 'php', 'prose', 'other'] as const;
  const piece = fc.constantFrom(
    '"',
    "'",
    '"""',
    '`',
    '\n',
    '\\',
    '#',
    '//',
    '/*',
    '*/',
    '<<A',
    'A',
    'x',
    '```',
    '--',
  );

  test('is inside the text, after the one before it, whatever the text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.array(piece, { maxLength: 40 }), (language, pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { start, end } of textZonesOf(text, language)) {
          expect([start >= last, end > start, end <= text.length]).toEqual([true, true, true]);
          last = end;
        }
      }),
    );
  });
});
