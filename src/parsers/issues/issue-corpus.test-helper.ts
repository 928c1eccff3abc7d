/** Ways in which models write findings, as data: what a finding contains, and the shapes in which it is written. */
import type { Severity } from '../../tags/severities.ts';

/** One finding, in one of the languages in which users ask. */
export interface Content {
  readonly title: string;
  readonly path: string;
  readonly line: number;
  readonly quote: string;
  readonly why: string;
  readonly fix: string;
}

export interface Language {
  readonly name: string;
  readonly contents: readonly [Content, Content];
  readonly why: string;
  readonly fix: string;
  readonly place: string;
}

export interface Shape {
  readonly name: string;
  /** Fields that the shape has no room for. */
  readonly lacks?: readonly ('quote' | 'fix' | 'place')[];
  /** Writes the findings of one severity. */
  readonly write: (language: Language, severity: Severity) => string;
}

const [english, german, japanese, chinese, french]: readonly Language[] = [
  {
    name: 'English',
    why: 'Why',
    fix: 'Fix',
    place: 'Location',
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
        'int gesamt = a * b;',
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

export const languages = [english, german, japanese, chinese, french].flatMap((language) => language ?? []);

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
export const wrappings: Readonly<Record<string, (text: string) => string>> = {
  'as written': (text) => text,
  'with Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
};

/** The headings of a group. */
export const heads: Readonly<Record<string, (severity: Severity) => string>> = {
  plain: (severity) => `### ${word(severity)}`,
  bold: (severity) => `**${word(severity)}**`,
  emoji: (severity) => `### 🔴 ${word(severity)} (2)`,
  numbered: (severity) => `### 1. ${word(severity)} Issues`,
};

export function word(severity: Severity): string {
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
  return { title, path, line, quote, why, fix };
}

function fence(quote: string): readonly string[] {
  return ['```', quote, '```'];
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
