/**
 * Chooses the lead of a conversation. `auto` takes a logged-in Claude Code, then the provider in the configuration; the
 * caller cannot lead, because it would answer itself. A key in the environment selects no vendor by itself, but is
 * named if no lead is available.
 */
import { CollabError } from '../../errors/collab-error.ts';
import type { ProviderEnvironment } from '../../providers/contract/contract.ts';
import type { LeadName } from './answerer.ts';
import { caller, chooseLead, claudeCode, firstReady, type LeadQuestion } from '../agents/lead-choice.ts';

/** @throws CollabError as `chooseLead`; if no lead is available, its hint names each way to get one */
export async function chooseConversationLead(question: LeadQuestion): Promise<LeadName> {
  const { lead, configured, environment } = question;
  if (lead === 'none') {
    throw new CollabError('usage', 'a conversation needs a lead, not "none"', {
      hint: 'name one: collab chat --lead claude_code',
    });
  }
  if (lead !== 'auto') return chooseLead(question);
  const named = configured === null || configured === 'none' || configured === caller ? [] : [configured];
  const found = await firstReady([claudeCode, ...named], environment);
  if ('choice' in found) return found.choice;
  const [first] = found.refusals;
  throw new CollabError(first?.code ?? 'cli_missing', `no lead is available: ${first?.message ?? ''}`, {
    hint: [first?.hint ?? '', ...otherWays(environment.env)].join('; or ').replaceAll('.; or', '; or'),
  });
}

const keys = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY', gemini: 'GEMINI_API_KEY' };

function otherWays(env: ProviderEnvironment['env']): readonly string[] {
  const withKey = Object.entries(keys).filter(([, variable]) => env[variable]);
  return [
    ...(withKey.length === 0
      ? ['a model with a key of yours: collab chat --lead anthropic, openai or gemini']
      : withKey.map(([vendor, variable]) => `${variable} is set: collab chat --lead ${vendor}`)),
    'without any model: collab chat --lead rehearsal',
  ];
}
