import { expect, test } from 'vitest';
import { addToClaudeSettings, hasPermission } from './claude-settings.ts';

const rule = { permission: true, stopHook: false };
const hook = { permission: false, stopHook: true };

test('the rule is appended, and everything else keeps its text, comments and order', () => {
  const text = `{
\t// ours
\t"model": "opus",
\t"permissions": {
\t\t"deny": ["Read(./.env)"], /* secrets */
\t\t"allow": [
\t\t\t"Bash(npm test)", // the tests
\t\t],
\t},
}
`;
  expect(addToClaudeSettings(text, rule)).toEqual({
    text: text.replace('"Bash(npm test)",', '"Bash(npm test)",\n\t\t\t"Bash(collab *)",'),
  });
});

test.each([
  ['{}', '{\n  "permissions": {\n    "allow": [\n      "Bash(collab *)"\n    ]\n  }\n}'],
  [
    '{\r\n    "permissions": {}\r\n}\r\n',
    '{\r\n    "permissions": {\r\n        "allow": [\r\n            "Bash(collab *)"\r\n        ]\r\n    }\r\n}\r\n',
  ],
  ['\uFEFF{}\n', '\uFEFF{\n  "permissions": {\n    "allow": [\n      "Bash(collab *)"\n    ]\n  }\n}\n'],
  ['{"permissions":{"allow":null}}', '{"permissions":{"allow":[\n      "Bash(collab *)"\n    ]}}'],
])('the rule is added to %j in its form', (text, expected) => {
  expect(addToClaudeSettings(text, rule)).toEqual({ text: expected });
});

test('both additions are found again, so that a second time changes nothing', () => {
  const once = addToClaudeSettings('{}', { permission: true, stopHook: true });
  if ('why' in once) throw new Error(once.why);
  expect(hasPermission(once.text)).toBe(true);
  expect(JSON.parse(once.text)).toEqual({
    permissions: { allow: ['Bash(collab *)'] },
    hooks: {
      Stop: [
        {
          hooks: [
            {
              type: 'command',
              command: 'node "$CLAUDE_PROJECT_DIR/.claude/hooks/collab-stop.mjs"',
              timeout: 3600,
            },
          ],
        },
      ],
    },
  });
  expect(addToClaudeSettings(once.text, { permission: true, stopHook: true })).toEqual(once);
});

test('a hook of the user stays before ours', () => {
  const own = { hooks: [{ type: 'command', command: 'say done' }] };
  const added = addToClaudeSettings(JSON.stringify({ hooks: { Stop: [own] } }), hook);
  if ('why' in added) throw new Error(added.why);
  expect(JSON.parse(added.text)).toMatchObject({ hooks: { Stop: [own, { hooks: [{ timeout: 3600 }] }] } });
});

test.each(['Bash(collab *)', 'Bash(collab:*)'])('the rule is recognized as %s', (written) => {
  const text = JSON.stringify({ permissions: { allow: [written] } });
  expect(addToClaudeSettings(text, rule)).toEqual({ text });
  expect(hasPermission(text)).toBe(true);
});

test.each([
  ['', 'it is not a JSON object'],
  ['[]', 'it is not a JSON object'],
  ['{"permissions": ', 'it is not a JSON object'],
  ['['.repeat(200_000), 'it is not a JSON object'],
  ['{"permissions": []}', 'permissions is not an object'],
  ['{"permissions": {"allow": "Bash"}}', 'permissions.allow is not a list'],
  ['{"permissions": {"deny": ["Bash(collab *)"]}}', 'permissions.deny has this rule'],
  ['{"permissions": {"ask": ["Bash(collab:*)"]}}', 'permissions.ask has this rule'],
  ['{"permissions": {}, "permissions": {"allow": ["a"]}}', 'permissions is there twice'],
])('nothing is added to %s', (text, why) => {
  expect(addToClaudeSettings(text, rule)).toEqual({ why });
  expect(hasPermission(text)).toBe(false);
});
