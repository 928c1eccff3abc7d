/** Every relative link of the documents leads to a file, and its fragment to a heading. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const repository = resolve(import.meta.dirname, '../..');
const pages = listed('*.md').filter((page) => !page.startsWith('test/fixtures/'));

test('the documents have links to check', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'AGENTS.md', 'references/run.md']));
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(10);
});

test('every relative link leads somewhere', () => {
  expect(pages.flatMap((page) => linksOf(page).flatMap((link) => faultOf(page, link)))).toEqual([]);
});

test('no comment and no page cites a text that is not in the repository', () => {
  const { stdout } = spawnSync(
    'git',
    ['grep', '-nE', 'DESIGN ?§|(^|[^/a-z-])facts/', '--', '.', ':!test/docs'],
    { cwd: repository, encoding: 'utf8' },
  );
  expect(stdout).toEqual('');
});

test('every test file that a document names exists', () => {
  const tracked = listed('*.test.ts', '*.test.tsx').map((file) => `/${file}`);
  expect(pages.flatMap(testFilesIn)).toContain('codex/limits.test.ts');
  const missing = pages.flatMap((page) =>
    testFilesIn(page)
      .filter((named) => !tracked.some((file) => file.endsWith(`/${named}`)))
      .map((named) => `${page}: ${named}`),
  );
  expect(missing).toEqual([]);
});

test('every decision has a unique number', () => {
  const numbers = pages.flatMap((page) => /^references\/adr\/(\d{4})-/.exec(page)?.[1] ?? []);
  expect(numbers).toEqual([...new Set(numbers)]);
});

/** The files of the checkout that match, ignored ones excepted. */
function listed(...patterns: readonly string[]): readonly string[] {
  const asked = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns];
  return execFileSync('git', asked, { cwd: repository, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(repository, file)));
}

/** Names such as `agent.test.ts` and `codex/limits.test.ts`; patterns with `*` and `{}` are left out. */
function testFilesIn(page: string): readonly string[] {
  const text = readFileSync(join(repository, page), 'utf8');
  return [...text.matchAll(/(?<![*}\w./-])[\w./-]+\.test\.tsx?\b/g)].map(([named]) => named);
}

/** Outside of fences and code spans; an address of another host is no file here. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(repository, page), 'utf8')
    .replaceAll(/^( *)(`{3,}|~{3,})[\s\S]*?^\1?\2.*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
  const written = [...text.matchAll(/\]\(\s*<?([^)\s>]+)/g), ...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return written.flatMap(([, link = '']) => (/^[a-z][a-z\d+.-]*:/i.test(link) ? [] : [link]));
}

function faultOf(page: string, link: string): readonly string[] {
  const [path = '', fragment] = link.split('#');
  const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
  if (!existsSync(join(repository, target))) return [`${page}: ${link}: no such file`];
  if (fragment === undefined || !target.endsWith('.md')) return [];
  return headingsOf(target).includes(fragment) ? [] : [`${page}: ${link}: no such heading`];
}

/** As GitHub names them. */
function headingsOf(page: string): readonly string[] {
  const text = readFileSync(join(repository, page), 'utf8');
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}
