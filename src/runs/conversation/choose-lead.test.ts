import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { chooseConversationLead } from './choose-lead.ts';

const question = (lead: string, configured: string | null = null, env: Record<string, string> = {}) => ({
  lead,
  configured,
  environment: {
    env: { PATH: '/nowhere', HOME: '/nowhere', ...env },
    cwd: '/nowhere',
    settings: {},
    signal: new AbortController().signal,
  },
});

test('a conversation without Claude Code takes the lead of the configuration', async () => {
  expect(await chooseConversationLead(question('auto', 'rehearsal:a.yaml'))).toEqual({
    provider: 'rehearsal',
    model: 'a.yaml',
    chosenBy: 'auto',
  });
});

test('a named lead is taken as in other runs', async () => {
  expect(await chooseConversationLead(question('rehearsal'))).toMatchObject({ provider: 'rehearsal' });
});

test('no lead is refused', async () => {
  expect(await refusalOf(chooseConversationLead(question('none')))).toEqual({
    code: 'usage',
    message: 'a conversation needs a lead, not "none"',
    hint: 'name one: collab chat --lead claude_code',
  });
});

test.each([null, 'none', 'caller'])(
  'inside Claude Code, too, %s of the configuration cannot answer: each way to a lead is named',
  async (configured) => {
    const refusal = await refusalOf(
      chooseConversationLead(question('auto', configured, { CLAUDECODE: '1' })),
    );
    expect(['cli_missing', 'auth']).toContain(refusal.code);
    expect(refusal.message).toMatch(/^no lead is available: ./);
    expect(refusal.hint).toMatch(
      /; or a model with a key of yours: collab chat --lead anthropic, openai or gemini; or without any model: collab chat --lead rehearsal$/,
    );
    expect(refusal.hint).not.toContain('.; or');
  },
);

test('keys in the environment choose no vendor, and are named', async () => {
  const keys = { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', ANTHROPIC_API_KEY: '' };
  const { hint } = await refusalOf(chooseConversationLead(question('auto', null, keys)));
  expect(hint).toContain(
    '; or OPENAI_API_KEY is set: collab chat --lead openai; or GEMINI_API_KEY is set: collab chat --lead gemini; or without',
  );
  expect(hint).not.toMatch(/ANTHROPIC_API_KEY|a key of yours/);
});
