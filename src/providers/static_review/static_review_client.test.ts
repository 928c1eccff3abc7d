import { describe, expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { staticReviewTurn } from './review-turn.test-helper.ts';
import { ruleSetsFor } from './rule-sets.ts';
import { scanChange } from './scan-change.ts';
import { newFile } from './change.test-helper.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';

describe('an answer', () => {
  test('names the rule sets of each file and quotes every finding, worst first', async () => {
    const { result, events } = await staticReviewTurn([
      newFile('src/a.ts', "if (cart === null) throw 'no cart';\nexport const run = () => eval(text);\n"),
      newFile('deploy.sh', 'chmod 777 /srv\n'),
    ]);
    const text = `[RESPONSE:REVIEW]

## STRENGTHS

No model looked at this change. Rules looked at its added and replaced lines:

- secret scan, syntax rules (typescript), text rules, change rules: \`src/a.ts\`
- secret scan, text rules only, change rules: \`deploy.sh\`

## ISSUES

### Critical
1. **Text is run as code with eval** — \`src/a.ts:2\`
   \`\`\`
   export const run = () => eval(text);
   \`\`\`
   Why: An attacker who can influence the text runs code with the rights of this process. Rule: \`eval-call\`.
   Fix: Parse the text as data (JSON.parse, ast.literal_eval) or look the operation up in a table.

### Important
1. **Everyone on the machine may write here** — \`deploy.sh:1\`
   \`\`\`
   chmod 777 /srv
   \`\`\`
   Why: Any user or process can put its own code or data in place. Rule: \`world-writable\`.
   Fix: Give the owner what it needs: 600 or 700, 644 or 755.

### Minor
1. **A text is thrown instead of an error** — \`src/a.ts:1\`
   \`\`\`
   if (cart === null) throw 'no cart';
   \`\`\`
   Why: It has no stack and no cause, and \`instanceof Error\` is false. Rule: \`thrown-text\`.
   Fix: Throw an Error with the text as its message.

## SUGGESTIONS

None
`;
    expect(result).toEqual({ kind: 'answered', text, sessionId: null, usage: null, stopReason: 'end_turn' });
    expect(events).toEqual([
      { type: 'turn.started' },
      { type: 'text.start', block_id: 'ex_1/1/1/answer', follow_up: false },
      { type: 'text.delta', block_id: 'ex_1/1/1/answer', text },
      { type: 'text.end', block_id: 'ex_1/1/1/answer', text },
      { type: 'turn.ended', stop_reason: 'end_turn', usage: null },
    ]);
  });

  test('says None if nothing was found', async () => {
    const { result } = await staticReviewTurn([newFile('src/a.ts', 'export const limit = 3;\n')]);
    expect(result).toMatchObject({
      text: expect.stringContaining('## ISSUES\n\nNone\n\n## SUGGESTIONS\n\nNone\n'),
    });
  });

  test('leaves a section that a skill adds empty', async () => {
    const { sections } = exchangeSpecOf('[REQUEST:REVIEW]');
    const added = [...sections, { name: 'SECURITY', asks: 'say who could misuse it' }];
    const { result } = await staticReviewTurn([newFile('src/a.ts', 'export const limit = 3;\n')], {
      sections: added,
    });
    expect(result).toMatchObject({
      text: expect.stringContaining('## SUGGESTIONS\n\nNone\n\n## SECURITY\n\nNone\n'),
    });
  });

  test('counts the lines that only the secret scan has read', async () => {
    const data = `export const data = '${'x'.repeat(1000)}'; debugger;\n`;
    const { result } = await staticReviewTurn([newFile('src/a.ts', data)]);
    const text = result.kind === 'answered' ? result.text : '';
    expect(text).toContain('- secret scan only: 1 line of `src/a.ts` with more than 1000 characters\n');
    expect(text).toContain('## ISSUES\n\nNone\n');
  });

  test('fences a quotation with more backticks than it contains', async () => {
    const { result } = await staticReviewTurn([newFile('src/a.js', 'eval("```")\n')]);
    expect(result).toMatchObject({ text: expect.stringContaining('   ````\n   eval("```")\n   ````\n') });
  });

  test('folds repeated findings of one rule in one file', async () => {
    const { result } = await staticReviewTurn([newFile('src/a.js', 'debugger;\n'.repeat(28))]);
    const text = result.kind === 'answered' ? result.text : '';
    expect(text.match(/\*\*A debugger stop/g)).toHaveLength(25);
    expect(text).toContain(
      'attached, or waits for ever on a server. The same on the lines 26, 27, 28. Rule:',
    );
  });

  test('is refused without a review or a change, with the remedy', async () => {
    const refused = { kind: 'unavailable', code: 'options', hint: expect.stringContaining('--advisor') };
    expect((await staticReviewTurn([], { tag: '[CONSULT:DESIGN]' })).result).toMatchObject(refused);
    expect((await staticReviewTurn([], { change: null })).result).toMatchObject(refused);
  });

  test('is not given after an abort', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(scanChange([newFile('a.ts', 'eval(a)\n')], signal)).rejects.toThrow('stopped');
  });
});

describe('a finding', () => {
  test('is only on added lines, with the number of the new side', async () => {
    const found = await scan(`--- a/src/a.ts
+++ b/src/a.ts
@@ -40,4 +40,5 @@ export class Cart {
   total() {
     eval(this.rule);
-    eval(this.before);
+    return eval(this.after);
+    debugger;
   }
`);
    expect(found).toEqual(['src/a.ts:42 eval-call', 'src/a.ts:43 debugger-leftover']);
  });

  test('reports a removed check, unless it returns in the file or word for word in another', async () => {
    const removed = `--- a/src/a.ts
+++ b/src/a.ts
@@ -8,3 +8,2 @@
 function refund() {
-  if (!mayRefund(user)) throw new Forbidden();
 }
`;
    expect(await scan(removed)).toEqual(['src/a.ts:9 removed-check']);
    expect(await scan(removed + addedElsewhere('if (!mayRefund(user)) throw new Forbidden();'))).toEqual([]);
    expect(await scan(removed + addedElsewhere('if (isOld) throw new Forbidden();'))).toEqual([
      'src/a.ts:9 removed-check',
    ]);
  });

  test('of a chained call is at its method', async () => {
    const found = await scan(`--- a/src/a.ts
+++ b/src/a.ts
@@ -8,3 +8,4 @@
   void mailer
     .send(order)
+    .catch(() => {});
   done();
`);
    expect(found).toEqual(['src/a.ts:10 swallowed-rejection']);
  });

  test('ignores the rest of a comment that starts above the hunk', async () => {
    const found = await scan(`--- a/src/a.ts
+++ b/src/a.ts
@@ -8,2 +8,4 @@
  * Never write
+ * eval(text)
+ * debugger
  */
`);
    expect(found).toEqual([]);
  });

  test('is one per line with a secret, whatever other rules match it', async () => {
    const line = "const password = 'postgres://shop:q7Rw2pLx9v@db.internal:5432/shop';\n";
    const findings = await scanChange([newFile('src/a.ts', line)], never);
    expect(findings.map(({ rule }) => rule.name)).toEqual(['hardcoded-secret']);
  });

  test('quotes with its secrets masked, as do other findings on the same line', async () => {
    const line = "console.log('postgres://shop:q7Rw2pLx9v@db.internal:5432/shop');\n";
    const findings = await scanChange([newFile('src/a.ts', line)], never, { rules: 'all' });
    const quote = ["console.log('postgres://shop:**********@db.internal:5432/shop');"];
    expect(findings.map(({ rule, quote: quoted }) => ({ name: rule.name, quoted }))).toEqual([
      { name: 'hardcoded-secret', quoted: quote },
      { name: 'console-log', quoted: quote },
    ]);
  });

  test('of a private key is on its first line, once', async () => {
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
    const key = `x: 1\nkey: |\n  -----BEGIN PRIVATE KEY-----\n  ${body}\n  ${body}\n  -----END PRIVATE KEY-----\n`;
    const findings = await scanChange([newFile('deploy/a.yaml', key)], never);
    expect(findings.map(({ startLine, quote }) => ({ startLine, quote }))).toEqual([
      { startLine: 3, quote: ['  -----BEGIN PRIVATE KEY-----'] },
    ]);
  });

  test('is separate for each of two lines with a secret', async () => {
    const text = 'A=postgres://shop:q7Rw2pLx9v@db.a\nB=postgres://shop:q7Rw2pLx9v@db.b\n';
    const findings = await scanChange([newFile('.env.sample', text)], never);
    expect(findings.map(({ startLine }) => startLine)).toEqual([1, 2]);
  });

  test('is exempt in tests and scripts if the rule says so', async () => {
    const files = ['test/a.test.ts', 'scripts/a.ts', 'src/a.ts'].map((path) =>
      newFile(path, 'console.log(1);\n'),
    );
    const findings = await scanChange(files, never, { rules: 'all' });
    expect(findings.map(({ path }) => path)).toEqual(['src/a.ts']);
  });
});

test('the rule sets of a file say if its language has no syntax rules', () => {
  expect(ruleSetsFor('src/a.tsx')).toEqual([
    'secret scan',
    'syntax rules (tsx)',
    'text rules',
    'change rules',
  ]);
  expect(ruleSetsFor('Dockerfile')).toEqual(['secret scan', 'text rules only', 'change rules']);
});

const never = new AbortController().signal;

function addedElsewhere(line: string): string {
  return `--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1,1 +1,2 @@\n done();\n+${line}\n`;
}

async function scan(diff: string): Promise<readonly string[]> {
  const findings = await scanChange(parseUnifiedDiff(diff).files, never);
  return findings.map(({ path, startLine, rule }) => `${path}:${startLine} ${rule.name}`);
}
