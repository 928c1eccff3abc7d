/** Ways in which models write findings, as data: what a finding contains, and the shapes in which it is written. */
import { claimClasses, type ClaimClass } from '../../tags/claims.ts';
import { severities, type Severity } from '../../tags/severities.ts';

/** One finding, in one of the languages in which users ask. */
export interface Content {
  readonly title: string;
  readonly path: string;
  readonly line: number;
  readonly quote: string;
  readonly why: string;
  readonly fix: string;
  readonly claim: ClaimClass;
  readonly replacement: string;
}

export interface Language {
  readonly name: string;
  readonly contents: readonly [Content, Content];
  readonly why: string;
  readonly fix: string;
  readonly place: string;
  readonly claim: string;
  readonly replacement: string;
}

/** What is read of an item, or must be. */
export interface ReadItem {
  readonly severity: Severity;
  readonly title: string;
  /** `path:line` */
  readonly place: string | null;
  readonly quote: string | null;
  readonly fix: string | null;
  readonly claim: ClaimClass | null;
  readonly replacement: string | null;
}

export interface Shape {
  readonly name: string;
  /** Fields that the shape has no room for. */
  readonly lacks?: readonly ('quote' | 'fix' | 'place')[];
  /** What is read besides, or instead. */
  readonly reads?: (content: Content) => Partial<ReadItem>;
  /** Writes the findings of one severity. */
  readonly write: (language: Language, severity: Severity) => string;
}

const [english, german, japanese, chinese, french]: readonly Language[] = [
  {
    name: 'English',
    why: 'Why',
    fix: 'Fix',
    place: 'Location',
    claim: 'Class',
    replacement: 'Replacement',
    contents: [
      content(
        'The handle is never closed',
        'src/file.ts',
        3,
        'const handle = open(path);',
        'it leaks',
        'close it',
      ),
      content(
        'Two requests race',
        'src/api/server.py',
        40,
        'total = total + amount',
        'an update is lost',
        'lock it',
      ),
    ],
  },
  {
    name: 'German',
    why: 'Why',
    fix: 'Fix',
    place: 'Location',
    claim: 'Class',
    replacement: 'Replacement',
    contents: [
      content(
        'Die Prüfung fehlt',
        'src/Prüfung.java',
        12,
        'return wert;',
        'jeder darf lesen',
        'vorher prüfen',
      ),
      content(
        'Größe läuft über',
        'lib/größe.c',
        7,
        'int gesamt = a * anzahl;',
        'große Dateien brechen ab',
        '64 Bit nehmen',
      ),
    ],
  },
  {
    name: 'Japanese',
    why: '理由',
    fix: '修正案',
    place: '場所',
    claim: '分類',
    replacement: '置き換え',
    contents: [
      content('認可がない', 'src/api.ts', 12, 'router.get(url, read);', '誰でも読める', '認可を足す'),
      content(
        '合計が丸められる',
        'src/total.ts',
        41,
        'const total = Math.round(sum);',
        '端数が消える',
        '最後に丸める',
      ),
    ],
  },
  {
    name: 'Chinese',
    why: 'Why',
    fix: 'Fix',
    place: 'Location',
    claim: 'Class',
    replacement: 'Replacement',
    contents: [
      content('句柄没有关闭', 'cmd/main.go', 9, 'f, err := os.Open(name)', '文件描述符泄漏', '使用后关闭'),
      content('缺少边界检查', 'pkg/list.go', 22, 'return items[index]', '会越界', '先检查长度'),
    ],
  },
  {
    name: 'French',
    why: 'Why',
    fix: 'Fix',
    place: 'Location',
    claim: 'Class',
    replacement: 'Replacement',
    contents: [
      content(
        'Le délai n’est pas vérifié',
        'app/models/délai.rb',
        5,
        'retry if failed?',
        'boucle infinie',
        'limiter les essais',
      ),
      content(
        'La requête est concaténée',
        'db/search.sql',
        2,
        "WHERE name = ' || input",
        'injection',
        'lier la valeur',
      ),
    ],
  },
] as const satisfies readonly Language[];

const languages = [english, german, japanese, chinese, french].flatMap((language) => language ?? []);

/** A line under the item's marker begins in this column. */
const indent = '   ';

export const shapes: readonly Shape[] = [
  ...(['1.', '1)', '10.', '-', '*', '+'] as const).map((marker) => ({
    name: `requested form, ${marker}`,
    write: items(marker, ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(quote),
      `${whyLabel}: ${why}`,
      `${fixLabel}: ${fix}`,
    ]),
  })),
  ...(['-', '*', '•', '+'] as const).flatMap((bullet) =>
    ['', '  ', indent, '     '].map((before) => ({
      name: `reasons as a list of ${bullet}, indented by ${before.length}`,
      write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
        `**${title}** — \`${path}:${line}\``,
        ...fence(quote),
        `${whyLabel}:`,
        `<${before}${bullet} ${why}`,
        `<${before}${bullet} ${why}, again`,
        `${fixLabel}: ${fix}`,
      ]),
    })),
  ),
  ...(['```ts', '~~~', '```diff', '````'] as const).map((opening) => ({
    name: `a fence ${opening}`,
    write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** — \`${path}:${line}\``,
      opening,
      opening === '```diff' ? `+${quote}` : quote,
      /^(?:`+|~+)/.exec(opening)?.[0] ?? '',
      `${whyLabel}: ${why}`,
      `${fixLabel}: ${fix}`,
    ]),
  })),
  {
    name: 'labels as a nested list',
    write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel, place }) => [
      `**${title}**`,
      `- **${place}**: \`${path}:${line}\``,
      `- **${whyLabel}**: ${why}`,
      ...fence(quote),
      `- **${fixLabel}**: ${fix}`,
    ]),
  },
  {
    name: 'labels in bold',
    write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** (\`${path}:${line}\`)`,
      '',
      ...fence(quote),
      '',
      `**${whyLabel}:** ${why}`,
      '',
      `**${fixLabel}:** ${fix}`,
    ]),
  },
  {
    name: 'inline code instead of a fence',
    write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** — \`${path}:${line}\``,
      `\`${quote}\``,
      `${whyLabel}: ${why}`,
      `${fixLabel}: ${fix}`,
    ]),
  },
  {
    name: 'inline code in a quote',
    write: items('-', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** — \`${path}:${line}\``,
      `> \`${quote}\``,
      '',
      `${whyLabel}: ${why}`,
      `${fixLabel}: ${fix}`,
    ]),
  },
  {
    name: 'a fence without the indent of its item',
    write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(quote).map((text) => `<${text}`),
      `<${whyLabel}: ${why}`,
      `<${fixLabel}: ${fix}`,
      '',
    ]),
  },
  ...(['#### ', '#### 1. ', '#### 🔴 '] as const).map((marker) => ({
    name: `headings ${marker}`,
    write: ({ contents, why: whyLabel, fix: fixLabel }: Language, severity: Severity) =>
      contents
        .map(({ title, path, line, quote, why, fix }) =>
          [
            `${marker}[${word(severity)}] ${title} (\`${path}:${line}\`)`,
            '',
            ...fence(quote),
            '',
            `**${whyLabel}**: ${why}`,
            '',
            `**${fixLabel}**: ${fix}`,
            '',
          ].join('\n'),
        )
        .join('\n'),
  })),
  ...(['**%**: ', '[%] ', '**[%]** ', '🔴 **%** — '] as const).map((prefix) => ({
    name: `the severity before each title, ${prefix}`,
    write: (language: Language, severity: Severity) =>
      items('-', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
        `${prefix.replace('%', word(severity))}${title} — \`${path}:${line}\``,
        ...fence(quote),
        `${whyLabel}: ${why}`,
        `${fixLabel}: ${fix}`,
      ])(language),
  })),
  ...(['% | ', '%: ', 'L%: ', '    %\t', '%│'] as const).map((gutter) => ({
    name: `a gutter ${JSON.stringify(gutter)}`,
    reads: ({ line, quote }: Content) => ({ quote: gutter.replace('%', String(line)) + quote }),
    write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(gutter.replace('%', String(line)) + quote),
      `${whyLabel}: ${why}`,
      `${fixLabel}: ${fix}`,
    ]),
  })),
  ...(['…', '...', '[...]'] as const).map((mark) => ({
    name: `a line cut by ${mark}`,
    reads: ({ quote }: Content) => ({ quote: cut(quote, mark) }),
    write: items('-', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(cut(quote, mark)),
      `${whyLabel}: ${why}`,
      `${fixLabel}: ${fix}`,
    ]),
  })),
  {
    name: 'a cut line as inline code',
    reads: ({ quote }) => ({ quote: cut(quote, '…') }),
    write: items('1.', ({ title, path, line, quote, why, fix }, { why: whyLabel, fix: fixLabel }) => [
      `**${title}** (\`${path}:${line}\`)`,
      `\`${cut(quote, '…')}\``,
      `${whyLabel}: ${why}`,
      `${fixLabel}: ${fix}`,
    ]),
  },
  ...(['1.', '-', '10.'] as const).map((marker) => ({
    name: `requested form with class and replacement, ${marker}`,
    reads: stated,
    write: items(marker, ({ title, path, line, quote, why, fix, claim, replacement }, labels) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(quote),
      `${labels.claim}: ${claim}`,
      `${labels.why}: ${why}`,
      `${labels.fix}: ${fix}`,
      `${labels.replacement}:`,
      ...fence(replacement),
    ]),
  })),
  ...(['```ts', '~~~', '`````'] as const).map((opening) => ({
    name: `a replacement in a fence ${opening}, before the quotation`,
    reads: stated,
    write: items('1.', ({ title, path, line, quote, why, fix, claim, replacement }, labels) => [
      `**${title}** — \`${path}:${line}\``,
      `${labels.claim}: ${claim.replaceAll('_', ' ')}`,
      `**${labels.replacement}:**`,
      '',
      opening,
      ...replacement.split('\n'),
      /^(?:`+|~+)/.exec(opening)?.[0] ?? '',
      `${labels.why}: ${why}`,
      ...fence(quote),
      `${labels.fix}: ${fix}`,
    ]),
  })),
  {
    name: 'an empty replacement',
    reads: ({ claim }) => ({ claim, replacement: '' }),
    write: items('1.', ({ title, path, line, quote, why, fix, claim }, labels) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(quote),
      `${labels.claim}: **${claim}**`,
      `${labels.why}: ${why}`,
      `${labels.fix}: ${fix}`,
      `${labels.replacement}:`,
      '```',
      '```',
    ]),
  },
  {
    name: 'class and replacement without the indent of their item',
    reads: stated,
    write: items('1.', ({ title, path, line, quote, why, fix, claim, replacement }, labels) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(quote).map((text) => `<${text}`),
      `<${labels.claim}: ${claim}`,
      `<${labels.why}: ${why}`,
      `<${labels.fix}: ${fix}`,
      '',
      `<${labels.replacement}:`,
      ...fence(replacement).map((text) => `<${text}`),
      '',
    ]),
  },
  {
    name: 'labels with class and replacement as a nested list',
    reads: stated,
    write: items('1.', ({ title, path, line, quote, why, fix, claim, replacement }, labels) => [
      `**${title}**`,
      `- **${labels.place}**: \`${path}:${line}\``,
      `- **${labels.claim}**: \`${claim}\``,
      `- **${labels.why}**: ${why}`,
      ...fence(quote),
      `- **${labels.fix}**: ${fix}`,
      `- **${labels.replacement}**:`,
      ...fence(replacement).map((text) => `  ${text}`),
    ]),
  },
  {
    name: 'headings with class and replacement',
    reads: stated,
    write: ({ contents, ...labels }, severity) =>
      contents
        .map(({ title, path, line, quote, why, fix, claim, replacement }) =>
          [
            `#### [${word(severity)}] ${title} (\`${path}:${line}\`)`,
            '',
            `**${labels.claim}**: ${claim}`,
            '',
            ...fence(quote),
            '',
            `**${labels.why}**: ${why}`,
            '',
            `**${labels.fix}**: ${fix}`,
            '',
            `**${labels.replacement}**:`,
            '',
            ...fence(replacement),
            '',
          ].join('\n'),
        )
        .join('\n'),
  },
  {
    name: 'a class that is not in the set, and a fix with code',
    reads: ({ fix, replacement }) => ({ fix: [fix, ...fence(replacement)].join('\n') }),
    write: items('1.', ({ title, path, line, quote, why, fix, replacement }, labels) => [
      `**${title}** — \`${path}:${line}\``,
      ...fence(quote),
      `${labels.claim}: naming and style`,
      `${labels.why}: ${why}`,
      `${labels.fix}: ${fix}`,
      ...fence(replacement),
    ]),
  },
  {
    name: 'a table with classes',
    lacks: ['quote'],
    reads: ({ claim }) => ({ claim }),
    write: ({ contents }, severity) =>
      [
        '| Severity | Category | Location | Issue | Fix |',
        '|---|---|---|---|---|',
        ...contents.map(
          ({ title, path, line, fix, claim }) =>
            `| ${word(severity)} | ${claim.replaceAll('_', ' ')} | \`${path}:${line}\` | ${title} | ${fix} |`,
        ),
      ].join('\n'),
  },
  {
    name: 'a table',
    lacks: ['quote'],
    write: ({ contents }, severity) =>
      [
        '| # | Severity | Location | Issue | Fix |',
        '|---|---|---|---|---|',
        ...contents.map(
          ({ title, path, line, fix }, index) =>
            `| ${index + 1} | ${word(severity)} | \`${path}:${line}\` | ${title} | ${fix} |`,
        ),
      ].join('\n'),
  },
  {
    name: 'one line each',
    lacks: ['quote', 'fix'],
    write: items('-', ({ title, path, line }) => [`**${title}** (\`${path}:${line}\`)`]),
  },
];

/** How a whole section is decorated or damaged on its way, without a change of its findings. */
const wrappings: Readonly<Record<string, (text: string) => string>> = {
  'as written': (text) => text,
  'with Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
};

/** The headings of a group. */
const heads: Readonly<Record<string, (severity: Severity) => string>> = {
  plain: (severity) => `### ${word(severity)}`,
  bold: (severity) => `**${word(severity)}**`,
  emoji: (severity) => `### 🔴 ${word(severity)} (2)`,
  numbered: (severity) => `### 1. ${word(severity)} Issues`,
};

/** Each shape in each language, with the severities, headings and line ends in turn. */
export const answers = shapes.flatMap((shape, row) =>
  languages.flatMap((language, column) =>
    Object.entries(wrappings).map(([wrapping, wrap], depth) => {
      const severity = severities[(row + column) % severities.length] ?? 'minor';
      const entries = Object.entries(heads);
      const [name = '', head] = entries[(row + column + depth) % entries.length] ?? [];
      const text = wrap(`${head?.(severity) ?? ''}\n\n${shape.write(language, severity)}\n`);
      return {
        name: `${shape.name}, ${language.name}, ${name} heading, ${wrapping}`,
        text,
        shape,
        language,
        severity,
      };
    }),
  ),
);

function stated({ claim, replacement }: Content): Partial<ReadItem> {
  return { claim, replacement };
}

/** Leaves out the middle of a line. */
function cut(quote: string, mark: string): string {
  const words = quote.split(' ');
  return `${words.slice(0, Math.ceil(words.length / 2)).join(' ')} ${mark} ${words.at(-1)}`;
}

function word(severity: Severity): string {
  return `${severity[0]?.toUpperCase()}${severity.slice(1)}`;
}

function content(
  title: string,
  path: string,
  line: number,
  quote: string,
  why: string,
  fix: string,
): Content {
  const claim = claimClasses[line % claimClasses.length] ?? 'clarity';
  return { title, path, line, quote, why, fix, claim, replacement: `if (checked) {\n  ${quote}\n}` };
}

function fence(code: string): readonly string[] {
  return ['```', ...code.split('\n'), '```'];
}

/** Writes a list; a line that begins with `<` is not indented below its item. */
function items(marker: string, lines: (content: Content, language: Language) => readonly string[]) {
  return (language: Language): string =>
    language.contents
      .map((each, index) => {
        const number = Number.parseInt(marker, 10);
        const own = Number.isNaN(number) ? marker : marker.replace(String(number), String(number + index));
        const [head = '', ...rest] = lines(each, language);
        const below = ' '.repeat(own.length + 1);
        return [
          `${own} ${head}`,
          ...rest.map((line) =>
            line.startsWith('<') ? line.slice(1) : line === '' ? '' : `${below}${line}`,
          ),
        ].join('\n');
      })
      .join('\n');
}
