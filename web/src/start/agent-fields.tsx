import { useCallback, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { OfferedAgent } from '../../../src/client/run-types.ts';
import type { SelectOption } from '../design/select.tsx';
import { useServer } from '../server/server-context.tsx';
import { useAsked } from '../server/use-asked.ts';
import { useWords } from '../words/language.tsx';
import { ChoiceOrText } from './choice-or-text.tsx';
import { startWords } from './start-words.ts';

interface AgentFieldsProps {
  readonly advisor: string;
  readonly lead: string;
  readonly onChange: (agents: { advisor?: string; lead?: string }) => void;
}

const roles = ['advisor', 'lead'] as const;
const hintId = 'agent-hint';

/** Offers the agents that can work on the server's machine. Without their list, each can still be typed. */
export function AgentFields({ advisor, lead, onChange }: AgentFieldsProps): ReactElement {
  const words = useWords(startWords);
  const { client } = useServer();
  const { value: agents } = useAsked(useCallback(() => client.agents(), [client]));
  const values = { advisor, lead };
  return (
    <>
      {roles.map((role) => (
        <ChoiceOrText
          key={role}
          label={words[role]}
          value={values[role]}
          offered={choicesOf(agents ?? [], role, words)}
          placeholder="codex:gpt-5.5"
          describedBy={hintId}
          onChange={(value) => onChange({ [role]: value })}
        />
      ))}
      <div id={hintId} className="quiet">
        <p>{words.agentHint}</p>
        {agents !== null && <NotReady agents={agents} />}
      </div>
    </>
  );
}

type StartWords = (typeof startWords)['en'];

function choicesOf(
  agents: readonly OfferedAgent[],
  role: (typeof roles)[number],
  words: StartWords,
): readonly SelectOption<string>[] {
  const able = agents.filter((agent) => agent.roles.includes(role));
  return [
    { value: '', text: words.automatic },
    ...able
      .toSorted((one, another) => Number(another.ready) - Number(one.ready))
      .map(({ provider, ready }) => ({
        value: provider,
        text: ready ? words.readyAgent(nameOf(provider, words)) : words.unreadyAgent(nameOf(provider, words)),
        isDisabled: !ready,
      })),
  ];
}

function nameOf(provider: string, { providers }: StartWords): string {
  const names: Readonly<Record<string, string>> = providers;
  return names[provider] ?? provider;
}

/** Explains how an agent of the command line becomes ready; keys of the APIs are the owner's choice. */
function NotReady({ agents }: { readonly agents: readonly OfferedAgent[] }): ReactElement | null {
  const words = useWords(startWords);
  const missing = agents.filter(
    ({ provider, ready }) => !ready && (provider === 'codex' || provider === 'claude_code'),
  );
  if (missing.length === 0) return null;
  return (
    <ul>
      {missing.map(({ provider, detail, hint }) => (
        <li key={provider}>
          {words.unreadyAgent(nameOf(provider, words))}
          {[detail, hint].map((text) => (text === null ? '' : ` · ${neutralise(text)}`))}
        </li>
      ))}
    </ul>
  );
}
