// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import type { Finding, ReviewResult } from '../../../src/client/run-events.ts';
import { LanguageContext } from '../words/language.tsx';
import { FileTable } from './file-table.tsx';
import { ReviewView } from './review-view.tsx';

const checkout = readFileSync('examples/checkout.diff', 'utf8');
const at = (path: string, line: number, more: Partial<Finding> = {}): Finding =>
  finding({ path, start_line: line, end_line: line, ...more });
const findings: readonly Finding[] = [
  at('src/checkout/refund.ts', 14, {
    id: 'removed',
    side: 'old',
    severity: 'important',
    title: 'Anyone may give money back',
  }),
  at('src/checkout/coupon.ts', 11, { id: 'radix', severity: 'minor', title: 'No radix' }),
  at('db/migrations/0042_cart_cleanup.sql', 4, {
    id: 'empties',
    title: 'Empties the table',
    verdict: 'confirmed',
    evidence: 'I ran it.',
  }),
  at('src/checkout/total.ts', 16, { id: 'known', title: 'Known of old', baseline: true }),
  finding({
    id: 'nowhere',
    severity: 'minor',
    title: 'Nowhere',
    path: null,
    placement: 'unplaced',
    start_line: null,
    end_line: null,
    side: null,
  }),
];

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
  HTMLDialogElement.prototype.showModal = showModal;
  HTMLDialogElement.prototype.close = close;
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

test('each finding is below its line, a removed one below the removed line', () => {
  show();
  expect(lineAbove('Empties the table')).toEqual({ text: 'DELETE FROM carts;', gutter: ['', '4added'] });
  expect(lineAbove('Anyone may give money back')).toEqual({
    text: "  if (!user.hasPermission('refund')) throw new Forbidden('refund');",
    gutter: ['14', 'removed'],
  });
});

/** Returns the text of a card with these changes. */
function said(more: Partial<Finding>): string {
  cleanup();
  show({ result: report({ findings: [at('src/checkout/coupon.ts', 11, { title: 'No radix', ...more })] }) });
  return screen.getByRole('article', { name: 'No radix' }).textContent;
}

test('a card has the class, the replacement, and the reason why there is none', () => {
  expect(said({ claim: 'data_loss', replacement: 'parseInt(text, 10);\n<b>' })).toMatch(
    /data loss.*Replacement.*parseInt\(text, 10\);\n<b>/s,
  );
  expect(said({ replacement: '' })).toContain('Remove these lines.');
  expect(said({ replacement_unused: 'masked' })).toContain(
    'Its replacement does not count: it contains a masked value.',
  );
  expect(said({})).not.toContain('Replacement');
});

test('a finding without a line is separate; those that do not count are listed below', () => {
  show();
  const apart = screen.getByRole('region', { name: 'Without a line in the change' });
  expect(within(apart).getByRole('article', { name: 'Nowhere' })).toBeTruthy();
  expect(linksIn('Findings')).toEqual([
    'Empties the table',
    'Anyone may give money back',
    'No radix',
    'Nowhere',
  ]);
  expect(linksIn('Do not count')).toEqual(['Known of old']);
});

test('n and p move from finding to finding, with the focus; not while the user types', () => {
  show();
  press('n');
  expect(document.activeElement).toBe(screen.getByRole('article', { name: 'Empties the table' }));
  press('n');
  expect(document.activeElement?.id).toBe('finding-removed');
  expect(document.activeElement?.getAttribute('aria-current')).toBe('true');
  press('p');
  press('p');
  expect(document.activeElement?.id).toBe('finding-known');
  fireEvent.keyDown(screen.getByLabelText(/^Minor/), { key: 'n' });
  fireEvent.keyDown(document.body, { key: 'n', ctrlKey: true });
  expect(document.activeElement?.id).toBe('finding-known');
});

test('the change is laid out in one column or in two, with findings below their lines, and stays so', () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Split' }));
  expect(screen.getByRole('button', { name: 'Split' }).getAttribute('aria-pressed')).toBe('true');
  const split = document.querySelectorAll('table.diff-split');
  expect(split.length).toBeGreaterThan(0);
  // Beside the lines of a whole file there would be nothing.
  const whole = [...document.querySelectorAll('table.diff-unified')].map(
    (table) => table.closest('article.file')?.querySelector('.change')?.textContent,
  );
  expect([...new Set(whole)]).toEqual(['added']);
  const row = screen.getByRole('article', { name: 'Anyone may give money back' }).closest('tr');
  const [number, code] = [...(row?.previousElementSibling?.children ?? [])];
  expect(number?.textContent).toBe('14removed');
  expect(code?.textContent).toBe("  if (!user.hasPermission('refund')) throw new Forbidden('refund');");
  cleanup();
  show();
  expect(document.querySelectorAll('table.diff-split')).toHaveLength(split.length);
  fireEvent.click(screen.getByRole('button', { name: 'Unified' }));
  expect(document.querySelectorAll('table.diff-split')).toHaveLength(0);
});

test('a deselected severity is hidden in the list, at the lines and for the keys', () => {
  show();
  fireEvent.click(screen.getByLabelText('Minor (2)'));
  fireEvent.click(screen.getByLabelText('Critical (1)'));
  expect(linksIn('Findings')).toEqual(['Anyone may give money back']);
  expect(screen.queryByRole('article', { name: 'No radix' })).toBeNull();
  press('n');
  press('n');
  expect(document.activeElement?.id).toBe('finding-removed');
  fireEvent.click(screen.getByLabelText('Important (1)'));
  expect(screen.getByText('No finding has a chosen severity.')).toBeTruthy();
});

test('the finding in the address is shown and focused, even if its file is closed at first', () => {
  const long = `--- /dev/null\n+++ b/long.ts\n@@ -0,0 +1,5000 @@\n${'+x\n'.repeat(5000)}`;
  const many = Array.from({ length: 12 }, (_, index) => long.replace('long.ts', `long-${index}.ts`)).join('');
  const marks = Array.from({ length: 12 }, (_, index) =>
    at(`long-${index}.ts`, 4000, { id: `f${index}`, title: `In ${index}` }),
  );
  show({ result: report({ findings: [...marks] }), diff: many, selected: 'f11' });
  expect(document.activeElement).toBe(screen.getByRole('article', { name: 'In 11' }));
  expect(lineAbove('In 11').gutter).toEqual(['', '4000added']);
  expect(document.querySelectorAll('tr.diff-line').length).toBeLessThan(2500);
});

test('a long file is opened in parts, and a file is closed and opened again', () => {
  const diff = `--- /dev/null\n+++ b/long.ts\n@@ -0,0 +1,1000 @@\n${'+x\n'.repeat(1000)}`;
  show({ result: report({ findings: [] }), diff });
  expect(document.querySelectorAll('tr.diff-line')).toHaveLength(100);
  fireEvent.click(screen.getByRole('button', { name: 'Show 400 lines' }));
  expect(document.querySelectorAll('tr.diff-line')).toHaveLength(500);
  const head = screen.getByRole('button', { name: /long\.ts/ });
  fireEvent.click(head);
  expect(head.getAttribute('aria-expanded')).toBe('false');
  expect(document.querySelectorAll('tr.diff-line')).toHaveLength(0);
});

test('files without lines say why, and unreviewed files say so', () => {
  const diff = [
    'diff --git a/a.png b/a.png\nindex 1..2 100644\nBinary files a/a.png and b/a.png differ\n',
    'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
    'diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n',
    'diff --git a/gone.ts b/gone.ts\ndeleted file mode 100644\nindex 1..0\n--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
  ].join('');
  const coverage = {
    ...report().coverage,
    files: [
      { path: 'a.png', status: 'skipped' as const, reason: 'binary', receipts: [] },
      { path: 'gone.ts', status: 'failed' as const, reason: 'it did not settle', receipts: [] },
    ],
  };
  show({ result: report({ findings: [], coverage }), diff });
  expect(screen.queryByText('A binary file: its content is not shown.')).toBeNull();
  fireEvent.click(
    within(screen.getByRole('row', { name: /a\.png skipped/ })).getByRole('button', { name: 'a.png' }),
  );
  for (const text of [
    'A binary file: its content is not shown.',
    'Only its mode changed: 100644 → 100755',
    'Only its name changed.',
    'from old.ts',
    'deleted',
  ]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(screen.getByRole('row', { name: /gone\.ts not reviewed 0 it did not settle/ })).toBeTruthy();
});

test('an unfinished review is never shown with its outcome', () => {
  show({ result: report({ state: 'running', outcome: 'failed', findings: [] }), diff: null });
  expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('Not finished');
  expect(screen.queryByText('Nothing was reviewed.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Copy findings as a prompt' })).toBeNull();
});

test('a dialog lists the keys', () => {
  show();
  press('?');
  expect(screen.getByRole('dialog', { name: 'Keys in a review' })).toBeTruthy();
  press('n');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('names, titles and reasons are text, with hidden characters visible', () => {
  const path = '<img src=x onerror=alert(1)>\u202e.ts';
  const diff = `diff --git "a/x" "b/x"\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@ <b>\n+<script>\u2066x</script>\n`;
  const hostile = at(path, 1, {
    title: '<b>bold</b>\u202e',
    suppressed: { reason: '<i>r</i>', expires: null, expired: false },
  });
  const coverage = {
    ...report().coverage,
    files: [{ path, status: 'skipped' as const, reason: '<u>why</u>\nnext', receipts: [] }],
  };
  show({ result: report({ findings: [hostile], coverage, reasons: ['x: <s>so</s>'] }), diff });
  expect(document.querySelectorAll('img, script, b, i, u, s')).toHaveLength(0);
  const text = document.body.textContent ?? '';
  expect(text).toContain('<script><U+2066>x</script>');
  expect(text).toContain('onerror=alert(1)><U+202E>.ts');
  expect(text).not.toMatch(/[\u202e\u2066]/);
});

/** The parts of a browser that jsdom lacks. */
test.each([
  ['en', ['a.ts skipped', 'b.ts left out by the repository', 'c.ts left out on request', 'd.ts skipped']],
  ['ja', ['a.ts 対象外', 'b.ts リポジトリの設定により除外', 'c.ts 利用者の指定により除外', 'd.ts 対象外']],
] as const)('a skipped file says who left it out, in %s', (language, rows) => {
  const skipped = { status: 'skipped' as const, reason: 'it matches', receipts: [] };
  const files: ReviewResult['coverage']['files'] = [
    { ...skipped, path: 'a.ts', skipped_by: 'collab' },
    { ...skipped, path: 'b.ts', skipped_by: 'repository' },
    { ...skipped, path: 'c.ts', skipped_by: 'user' },
    // A result of version 0.1.0 does not have it.
    { ...skipped, path: 'd.ts' },
  ];
  const choice = { language, choose: () => undefined };
  render(
    <LanguageContext value={choice}>
      <FileTable files={files} findingsIn={() => 0} idOf={() => null} onOpen={() => undefined} />
    </LanguageContext>,
  );
  const shown = screen.getAllByRole('row').slice(1);
  expect(shown.map(({ children: [path, status] }) => `${path?.textContent} ${status?.textContent}`)).toEqual(
    rows,
  );
});

function showModal(this: HTMLDialogElement): void {
  this.open = true;
}

function close(this: HTMLDialogElement): void {
  this.open = false;
}

interface Shown {
  readonly result?: ReviewResult;
  readonly diff?: string | null;
  readonly selected?: string;
}

function show({ result = report({ findings: [...findings] }), diff = checkout, selected }: Shown = {}): void {
  function Page() {
    const [id, setId] = useState(selected ?? null);
    return <ReviewView {...{ result, diff, linkTo }} selected={id} onSelect={setId} />;
  }
  render(<Page />);
}

function linkTo(id: string): string {
  return `#${id}`;
}

function press(key: string): void {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

function linksIn(list: string): readonly string[] {
  const links = within(screen.getByRole('list', { name: list, hidden: true })).getAllByRole('link', {
    hidden: true,
  });
  return links.map((link) => link.querySelector('span:not([class]):not([aria-hidden])')?.textContent ?? '');
}

/** The line of the change under which a finding is drawn. */
function lineAbove(title: string): { readonly text: string; readonly gutter: readonly string[] } {
  const row = screen.getByRole('article', { name: title }).closest('tr')?.previousElementSibling;
  const [old, current, code] = [...(row?.children ?? [])].map(({ textContent }) => textContent ?? '');
  return { text: code ?? '', gutter: [old ?? '', current ?? ''] };
}
