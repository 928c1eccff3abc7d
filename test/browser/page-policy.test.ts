/** The content-security policy itself: what came into the page by force would still not run and not load. */
import type { Page } from 'playwright-core';
import { rehearsedReview, sharedServer } from './served-page.ts';
import { test } from './visitor.ts';

const world = sharedServer(rehearsedReview());

/** A port of this machine that is not the server's: what gets past the policy still leaves for nowhere. */
const foreign = 'http://127.0.0.1:9/';

const forced: readonly (readonly [what: string, directive: string, force: (address: string) => void])[] = [
  [
    'an inline script',
    'script-src-elem',
    () => {
      const script = document.createElement('script');
      script.textContent = 'window.taken = 1';
      document.body.append(script);
    },
  ],
  [
    'a handler in an attribute',
    'script-src-attr',
    () => {
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.taken = 1');
      document.body.append(button);
      button.click();
    },
  ],
  [
    'a link that is a script',
    'script-src-elem',
    () => {
      const link = document.createElement('a');
      link.href = 'javascript:void(window.taken = 1)';
      document.body.append(link);
      link.click();
    },
  ],
  [
    'a text that is run',
    'script-src',
    () => {
      // Not at once: to what a debugger runs the browser allows it.
      setTimeout(() => {
        try {
          Reflect.construct(Function, ['window.taken = 1'])();
        } catch {
          // The policy makes it throw.
        }
      });
    },
  ],
  [
    'an inline style sheet',
    'style-src-elem',
    () => {
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.head.append(style);
    },
  ],
  ['a style in an attribute', 'style-src-attr', () => document.body.setAttribute('style', 'display: none')],
  [
    'a script of another origin',
    'script-src-elem',
    (address) => {
      const script = document.createElement('script');
      script.src = address;
      document.body.append(script);
    },
  ],
  [
    'a script that it carries in its address',
    'script-src-elem',
    () => {
      const script = document.createElement('script');
      script.src = 'data:text/javascript,window.taken=1';
      document.body.append(script);
    },
  ],
  [
    'a style sheet of another origin',
    'style-src-elem',
    (address) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = address;
      document.head.append(link);
    },
  ],
  [
    'a picture of another origin',
    'img-src',
    (address) => {
      const picture = document.createElement('img');
      picture.src = address;
      document.body.append(picture);
    },
  ],
  [
    'a font of another origin',
    'font-src',
    (address) => void new FontFace('foreign', `url(${address})`).load().catch(() => undefined),
  ],
  [
    'a frame of another origin',
    'frame-src',
    (address) => {
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
    },
  ],
  [
    'an object of another origin',
    'object-src',
    (address) => {
      const object = document.createElement('object');
      object.data = address;
      document.body.append(object);
    },
  ],
  ['a question to another origin', 'connect-src', (address) => void fetch(address).catch(() => undefined)],
  [
    'a stream of another origin',
    'connect-src',
    (address) => {
      const source = new EventSource(address);
      source.onerror = () => source.close();
    },
  ],
  [
    'a beacon to another origin',
    'connect-src',
    (address) => void navigator.sendBeacon(address, 'what the page holds'),
  ],
  [
    'a worker of another making',
    'worker-src',
    () => {
      const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
      worker.onmessage = () => Reflect.set(window, 'taken', 1);
    },
  ],
  [
    'a form to another origin',
    'form-action',
    (address) => {
      const form = document.createElement('form');
      form.action = address;
      document.body.append(form);
      form.requestSubmit();
    },
  ],
  [
    'another base of all addresses',
    'base-uri',
    (address) => {
      const base = document.createElement('base');
      base.href = address;
      document.head.append(base);
    },
  ],
];

test('what is put into the page by force does not run and does not load, and the browser names the rule', async ({
  visitor: { page },
  expect,
}) => {
  const { url } = world.served();
  const asked = foreignRequestsOf(page, url);
  await page.goto(url);
  for (const [what, directive, force] of forced) {
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await listen(page);
    await page.evaluate(force, foreign);
    await expect.poll(() => reportedIn(page), { message: what }).toEqual([directive]);
    expect(await stateOf(page), what).toEqual({ taken: null, isShown: true, base: `${url}/` });
    expect(asked, what).toEqual([]);
  }
});

/** What leaves the browser: of a request that the policy stops is told, too, and that it stopped it. */
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

/** Each rule once: what asks for the base's address anew is reported anew. */
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
