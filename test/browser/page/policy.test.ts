/** The content-security policy itself: even injected markup does not run and does not load anything. */
import type { Page } from 'playwright-core';
import { rehearsedReview, sharedServer } from '../served-page.ts';
import { test } from '../visitor.ts';

const world = sharedServer(rehearsedReview());

/** A port of this machine that is not the server's: a request that passes the policy still reaches nothing outside. */
const foreign = 'http://127.0.0.1:9/';

interface Forced {
  readonly tag: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly text?: string;
}

const takes = 'window.taken = 1';

const elements: readonly (readonly [what: string, rule: string, element: Forced])[] = [
  ['an inline script', 'script-src-elem', { tag: 'script', text: takes }],
  ['a handler in an attribute', 'script-src-attr', { tag: 'button', attributes: { onclick: takes } }],
  [
    'a link that is a script',
    'script-src-elem',
    { tag: 'a', attributes: { href: `javascript:void(${takes})` } },
  ],
  ['an inline style sheet', 'style-src-elem', { tag: 'style', text: 'body { display: none }' }],
  [
    'a style in an attribute',
    'style-src-attr',
    { tag: 'p', attributes: { style: 'position: fixed; inset: 0' } },
  ],
  ['a script of another origin', 'script-src-elem', { tag: 'script', attributes: { src: foreign } }],
  [
    'a script in its own address',
    'script-src-elem',
    { tag: 'script', attributes: { src: `data:text/javascript,${takes}` } },
  ],
  [
    'a style sheet of another origin',
    'style-src-elem',
    { tag: 'link', attributes: { rel: 'stylesheet', href: foreign } },
  ],
  ['a picture of another origin', 'img-src', { tag: 'img', attributes: { src: foreign } }],
  ['a frame of another origin', 'frame-src', { tag: 'iframe', attributes: { src: foreign } }],
  ['an object of another origin', 'object-src', { tag: 'object', attributes: { data: foreign } }],
  ['a form to another origin', 'form-action', { tag: 'form', attributes: { action: foreign } }],
  ['another base of all addresses', 'base-uri', { tag: 'base', attributes: { href: foreign } }],
];

const calls: readonly (readonly [what: string, rule: string, force: (address: string) => void])[] = [
  ['a text that is run', 'script-src', runText],
  [
    'a font of another origin',
    'font-src',
    (address) => void new FontFace('foreign', `url(${address})`).load().catch(() => undefined),
  ],
  ['a question to another origin', 'connect-src', (address) => void fetch(address).catch(() => undefined)],
  ['a stream of another origin', 'connect-src', (address) => void new EventSource(address)],
  [
    'a beacon to another origin',
    'connect-src',
    (address) => void navigator.sendBeacon(address, 'what the page holds'),
  ],
  [
    'a worker of another making',
    'worker-src',
    () => void new Worker(URL.createObjectURL(new Blob(['fetch("/")']))),
  ],
];

test('injected content neither runs nor loads, and the browser names the rule', async ({
  visitor: { page },
  expect,
}) => {
  const { url } = world.served();
  const asked = foreignRequestsOf(page, url);
  const forced = [
    ...elements.map(
      ([what, rule, element]) => [what, rule, () => page.evaluate(addElement, element)] as const,
    ),
    ...calls.map(([what, rule, force]) => [what, rule, () => page.evaluate(force, foreign)] as const),
  ];
  await page.goto(url);
  for (const [what, rule, force] of forced) {
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await listen(page);
    await force();
    await expect.poll(() => reportedIn(page), { message: what }).toEqual([rule]);
    expect(await stateOf(page), what).toEqual({ taken: null, isShown: true, base: `${url}/` });
    expect(asked, what).toEqual([]);
  }
});

function addElement({ tag, attributes = {}, text = '' }: Forced): void {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  document.body.append(element);
  if (element instanceof HTMLFormElement) element.requestSubmit();
  else element.click();
}

/** With a delay, because the browser allows it to code that a debugger runs. */
function runText(): void {
  setTimeout(() => {
    try {
      Reflect.construct(Function, ['window.taken = 1'])();
    } catch {
      // It throws because of the policy.
    }
  });
}

/** Requests of the browser, including those that the policy stopped, marked as such. */
function foreignRequestsOf(page: Page, own: string): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(own)) asked.push(request.url());
  });
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') asked.splice(asked.indexOf(request.url()), 1);
  });
  return asked;
}

/** Each rule once: a repeated request for the base's address is reported again. */
function listen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const reported = new Set<string>();
    Reflect.set(window, 'reported', reported);
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      reported.add(effectiveDirective),
    );
  });
}

function reportedIn(page: Page): Promise<unknown> {
  return page.evaluate(() => [...Reflect.get(window, 'reported')]);
}

function stateOf(page: Page): Promise<unknown> {
  return page.evaluate(() => ({
    taken: Reflect.get(window, 'taken') ?? null,
    isShown: document.body.checkVisibility(),
    base: document.baseURI,
  }));
}
