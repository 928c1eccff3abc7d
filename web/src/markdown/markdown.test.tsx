// @vitest-environment jsdom
import { cleanup, render, type RenderResult } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { injections } from '../../../test/fixtures/injections.ts';
import { Markdown } from './markdown.tsx';

afterEach(cleanup);

const attempts: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)" onclick="alert(1)">click</a>',
  '<form action="https://evil.example"><input name=token><button>Send</button></form>',
  '<style>body { background: url(https://evil.example/x) }</style>',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0; url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<object data="https://evil.example/x"></object><embed src="https://evil.example/x">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](java&#115;cript:alert(1))',
  '[click](&#x6A;avascript:alert(1))',
  '[click](javascript&colon;alert(1))',
  '[click](\u0001javascript:alert(1))',
  '[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[click](vbscript:msgbox(1))',
  '[click](file:///etc/passwd)',
  '[click](blob:https://evil.example/1)',
  '[click](//evil.example)',
  '[click](/api/session)',
  '[click](#/runs/other)',
  '<javascript:alert(1)>',
  '![x](https://evil.example/pixel.png)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)',
  '![x](javascript:alert(1))',
  '[![x](https://evil.example/p.png)](javascript:alert(1))',
  '[x]: javascript:alert(1)\n\n[x]',
  '[^1]: javascript:alert(1)\n\n[^1]',
  '```"><script>alert(1)</script>\ncode\n```',
  '```\n</code></pre><script>alert(1)</script>\n```',
  '`</code><script>alert(1)</script>`',
  '| <script>alert(1)</script> | ![x](https://evil.example/p) |\n| - | - |\n| <img src=x onerror=alert(1)> | b |',
  '- [ ] <input autofocus onfocus=alert(1)>',
  '# <details ontoggle=alert(1) open>x</details>',
  '<!-- --><script>alert(1)</script><!-- -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '**<b onmouseover=alert(1)>x</b>**',
  'https://evil.example/"onmouseover="alert(1)',
  '<https://evil.example/"><script>alert(1)</script>>',
  ...injections.map(({ text }) => text),
];

test.each(attempts)('foreign text stays text: %j', (text) => {
  const { container } = render(<Markdown text={text} />);
  expect(harmsIn(container)).toEqual([]);
});

test('the check sees markup, script and loaded resources', () => {
  const page = document.createElement('div');
  page.innerHTML = '<p onclick="x"><a href="javascript:x">a</a><img src="y"></p>';
  expect(harmsIn(page)).toEqual([
    'an element img',
    'an attribute onclick of p',
    'a link to javascript:x',
    'a link without rel',
    'an attribute src of img',
  ]);
});

test('raw HTML is shown as written', () => {
  const { container } = render(<Markdown text={'<b>bold</b> and <script>x</script>'} />);
  expect(container.textContent).toBe('<b>bold</b> and <script>x</script>');
});

test.each([
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['http://example.com', 'http://example.com/'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
])('a link to %s is one, opened apart from the page', (href, shown) => {
  const link = render(<Markdown text={`[words](${href})`} />).getByRole('link');
  expect(link.getAttribute('href')).toBe(shown);
  expect(link.title).toBe(shown);
  expect([link.getAttribute('rel'), link.getAttribute('target')]).toEqual([
    'noopener noreferrer nofollow',
    '_blank',
  ]);
});

test('an unsafe link keeps its text', () => {
  const view = render(<Markdown text={'[the words](javascript:x) and [more](src/a.ts)'} />);
  expect(view.queryByRole('link')).toBeNull();
  expect(view.container.textContent).toBe('the words and more');
});

test('a picture becomes a link: viewing a page loads nothing', () => {
  const view = render(<Markdown text={'![a cat](https://example.com/cat.png) ![](x.png)'} />);
  expect(view.getByRole('link').getAttribute('href')).toBe('https://example.com/cat.png');
  expect(view.container.textContent).toBe('🖼 a cat 🖼');
  expect(view.container.querySelector('img')).toBeNull();
});

test('a definition is not lost', () => {
  const { container } = render(<Markdown text={'[RESPONSE:REVIEW]: clean\n\n[^1]: note'} />);
  expect(container.textContent).toBe('[RESPONSE:REVIEW]: clean\n[^1]: note');
});

test('characters that reorder or hide letters are made visible', () => {
  const { container } = render(<Markdown text={'a\u202eb `c\u200bd`\n\n```\ne\u2066f\n```'} />);
  expect(container.textContent).toContain('a<U+202E>b');
  expect(container.textContent).toContain('c<U+200B>d');
  expect(container.textContent).toContain('e<U+2066>f');
});

test('code shows its language, at the top level and in a list', () => {
  const view = render(
    <Markdown text={'```ts\nlet a = 1;\n```\n\n- item\n\n  ```python\n  print()\n  ```'} />,
  );
  expect(view.getAllByRole('figure').map((figure) => figure.getAttribute('aria-label'))).toEqual([
    'Code: ts',
    'Code: python',
  ]);
  expect(codesIn(view)).toEqual(['let a = 1;\n', 'print()\n']);
});

test.each([
  ['h3', ['H4', 'H5', 'H6', 'H6']],
  ['h5', ['H6', 'H6', 'H6', 'H6']],
] as const)('headings of a text stand below the %s of the page', (below, levels) => {
  const { container } = render(<Markdown text={'# a\n\n## b\n\n### c\n\n#### d'} below={below} />);
  expect([...container.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => tagName)).toEqual(
    levels,
  );
});

test('the closing line of an answer is not shown, except in code', () => {
  const closing = 'END 166de895f51ea1d7';
  expect(render(<Markdown text={`## ISSUES\n\nNone\n\n${closing}\n`} />).container.textContent).toBe(
    'IssuesNone',
  );
  cleanup();
  expect(render(<Markdown text={`None\n${closing}`} />).container.textContent).toBe('None');
  cleanup();
  const { container } = render(<Markdown text={`\`\`\`\n${closing}\n\`\`\``} />);
  expect(container.querySelector('code')?.textContent.trimEnd()).toBe(closing);
});

test('the lines of a diff have the colors of their signs, and its text is unchanged', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+two\n same';
  const { container } = render(<Markdown text={`\`\`\`diff\n${diff}\n\`\`\``} />);
  expect(container.querySelector('code')?.textContent.trimEnd()).toBe(diff);
  const lines = [...container.querySelectorAll('code > span')];
  expect(lines.map((line) => [line.className, line.textContent.trimEnd()])).toEqual([
    ['hunk', '@@ -1,2 +1,2 @@'],
    ['removed', '-one'],
    ['added', '+two'],
  ]);
});

test('while a text grows, finished elements stay the same, and open code does not jump', () => {
  const view = render(<Markdown isOpen text={'# Head\n\nA para'} />);
  const head = view.getByRole('heading');
  const text = '# Head\n\nA paragraph.\n\n```ts\nlet a;\nlet b;\n```';
  const drawn = new Set<Element>();
  for (let end = 15; end <= text.length; end += 1) {
    view.rerender(<Markdown isOpen text={text.slice(0, end)} />);
    for (const code of view.container.querySelectorAll('pre')) drawn.add(code);
    expect(view.container.textContent).not.toContain('`');
  }
  expect(drawn.size).toBe(1);
  expect(view.getByRole('heading')).toBe(head);
  expect(codesIn(view)).toEqual(['let a;\nlet b;\n']);
});

test.each([
  ['emphasis in emphasis', '*a **b '.repeat(5000)],
  ['marks in marks', '_*'.repeat(400)],
  ['quotations in quotations', `${'> '.repeat(20_000)}deep`],
  ['lists in lists', `${'- '.repeat(20_000)}deep`],
  ['brackets in brackets', '['.repeat(40_000)],
  ['stars around stars', `${'*'.repeat(20_000)}a${'*'.repeat(20_000)}`],
  ['many elements in each other', `${'> '.repeat(90)}${'*'.repeat(450)}a${'*'.repeat(450)}`],
])('a text that is made to hold up the page is drawn, and soon: %s', (_name, text) => {
  const { container } = render(<Markdown text={text} />);
  expect(container.textContent?.length).toBeGreaterThan(0);
});

function codesIn({ container }: RenderResult): readonly (string | null)[] {
  return [...container.querySelectorAll('pre code')].map(({ textContent }) => textContent);
}

const elements = new Set(
  'a blockquote br button code del div em figcaption figure h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const attributes = new Set(
  'class aria-label role tabindex type href title target rel start style colspan'.split(' '),
);

/** Elements and attributes that Markdown does not need, and links that do not lead to another page. */
function harmsIn(page: Element): readonly string[] {
  const all = [...page.querySelectorAll('*:not(.copy .icon, .copy .icon *)')];
  return [
    ...all
      .filter(({ localName }) => !elements.has(localName))
      .map(({ localName }) => `an element ${localName}`),
    ...all.flatMap((element) => [
      ...[...element.attributes]
        .filter(
          ({ name, value }) =>
            !attributes.has(name) || (name === 'style' && !/^text-align: \w+;$/.test(value)),
        )
        .map(({ name }) => `an attribute ${name} of ${element.localName}`),
      ...(element instanceof HTMLAnchorElement ? harmsOfLink(element) : []),
    ]),
  ];
}

function harmsOfLink(link: HTMLAnchorElement): readonly string[] {
  const href = link.getAttribute('href') ?? '';
  return [
    ...(/^(?:https?:\/\/|mailto:)/.test(href) ? [] : [`a link to ${href}`]),
    ...(link.rel.includes('noopener') ? [] : ['a link without rel']),
  ];
}

test('a tag on a line of its own, and the name of a section, are shown in words', () => {
  const { container } = render(<Markdown text={'[RESPONSE:REVIEW]\n## STRENGTHS\n\nNone.\n# API'} />);
  expect(container.textContent).toBe('Answers with a reviewStrengthsNone.\nAPI');
});
