import { scriptedOrigin } from './scripted-origin.ts';
import { test } from './visitor.ts';

test.fails('a page that asks anything but loopback fails its test', async ({ visitor: { page } }) => {
  const { url } = await scriptedOrigin('<img src="http://192.0.2.1/picture.png">', []);
  await page.goto(url);
});

test.fails('a page that throws what nobody catches fails its test', async ({ visitor: { page } }) => {
  const { url } = await scriptedOrigin('<script>throw new Error("nobody catches")</script>', []);
  await page.goto(url);
});

test('a page that does neither does not', async ({ visitor: { page } }) => {
  const { url } = await scriptedOrigin('<script>fetch("/api/x")</script>', []);
  await page.goto(url);
});
