import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { secretsInFiles } from './scan-skipped.ts';

test('a secret in a skipped file is found; other rules report nothing there', () => {
  const { files } = parseUnifiedDiff(
    '--- /dev/null\n+++ b/package-lock.json\n@@ -0,0 +1,3 @@\n+{\n+x = "*****";\n+eval(x)\n',
  );
  const known = { rule: 'github_token', severity: 'critical', rejectable: 'never', line: 2 } as const;
  const found = (path: string) =>
    secretsInFiles(files, [{ ...known, path }]).map(({ rule, quote }) => [rule.name, rule.severity, quote]);
  expect(found('package-lock.json')).toEqual([['hardcoded-secret', 'critical', ['x = "*****";']]]);
  expect(found('other.json')).toEqual([]);
});
