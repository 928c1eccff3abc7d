import { scriptedOrigin } from './scripted-origin.ts';
import { test } from './visitor.ts';

test.fails('a page that requests anything but loopback fails its test', async ({ visitor: { page } }) => {
  const { url } = await scriptedOrigin('<img src="http://192.0.2.1/picture.png">', []);
  await page.goto(url);
});

test.fails('a page with an uncaught exception fails its test', async ({ visitor: { page } }) => {
  const { url } = await scriptedOrigin('<script>throw new Error("nobody catches")</script>', []);
  await page.goto(url);
});

test('any other page passes', async ({ visitor: { page } }) => {
  const { url } = await scriptedOrigin('<script>fetch("/api/x")</script>', []);
  await page.goto(url);
});
