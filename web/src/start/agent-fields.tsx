import type { ReactElement } from 'react';
import { useWords } from '../words/language.tsx';
import { startWords } from './start-words.ts';

interface AgentFieldsProps {
  readonly advisor: string;
  readonly lead: string;
  readonly onChange: (agents: { advisor?: string; lead?: string }) => void;
}

/** Fields for the advisor and the lead. */
export function AgentFields({ advisor, lead, onChange }: AgentFieldsProps): ReactElement {
  const words = useWords(startWords);
  return (
    <>
      <label>
        {words.advisor}
        <input
          value={advisor}
          aria-describedby="agent-hint"
          onChange={({ target }) => onChange({ advisor: target.value })}
        />
      </label>
      <label>
        {words.lead}
        <input
          value={lead}
          aria-describedby="agent-hint"
          onChange={({ target }) => onChange({ lead: target.value })}
        />
      </label>
      <p id="agent-hint" className="quiet">
        {words.agentHint}
      </p>
    </>
  );
}
