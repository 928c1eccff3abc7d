import { expect, test } from 'vitest';
import type { LeadAgent, LeadTurnRequest } from './contract.ts';
import { asAdvisor } from './lead-as-advisor.ts';

/** A lead that may edit; it records its turns. */
function recordingLead() {
  const turns: LeadTurnRequest[] = [];
  const done: string[] = [];
  const lead: LeadAgent = {
    identity: {
      provider: 'claude',
      displayName: 'Claude',
      version: null,
      model: null,
      login: null,
      destination: null,
      remarks: ['a remark'],
    },
    edits: true,
    async turn(request) {
      turns.push(request);
      return { kind: 'empty', message: 'no text', sessionId: null };
    },
    async harvest(sessionId, callId) {
      done.push(`${sessionId} ${callId}`);
      return { kind: 'not_sent' };
    },
    async close() {
      done.push('closed');
    },
  };
  return { lead, turns, done };
}

const request = {
  prompt: 'Review this.',
  callId: 'c1',
  sessionId: null,
  signal: new AbortController().signal,
  emit: () => undefined,
  bind: async () => undefined,
  request: null,
};

test.each(['/copy', null])('a lead that advises reads %j and edits nothing', async (folder) => {
  const { lead, turns } = recordingLead();
  await asAdvisor(lead, folder).turn(request);
  const work = { kind: 'answer_back', phase: 'review', round: 1, access: 'read', folder };
  expect(turns).toEqual([{ ...request, work }]);
});

test('a lead that sees no files says so beside its own remarks', () => {
  const { lead } = recordingLead();
  expect(asAdvisor(lead, null).identity.remarks).toEqual(['a remark', 'no repository access']);
  expect(asAdvisor(lead, '/copy').identity).toEqual(lead.identity);
});

test('a lost turn is looked up at the lead, and closing closes it', async () => {
  const { lead, done } = recordingLead();
  const agent = asAdvisor(lead, null);
  expect(await agent.harvest('s1', 'c1')).toEqual({ kind: 'not_sent' });
  await agent.close();
  expect(done).toEqual(['s1 c1', 'closed']);
});
