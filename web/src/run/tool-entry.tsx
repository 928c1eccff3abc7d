import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { Badge } from '../design/badge.tsx';
import { Fold } from '../design/fold.tsx';
import type { ToolState } from '../run-state.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/language.tsx';
import { ForeignText } from './foreign-text.tsx';
import { runWords } from './run-words.ts';

/** Shows a tool call in one line, with its arguments and its result folded. */
export function ToolEntry({ tool, id }: { readonly tool: ToolState; readonly id: string }): ReactElement {
  const words = useWords(runWords);
  const { displayName, summary, args, status, trigger, permission } = tool;
  const head = (
    <>
      <strong>{neutralise(displayName)}</strong> <code>{neutralise(summary)}</code>{' '}
      <Badge tone={tones[status]}>{words.toolStatus[status]}</Badge>
    </>
  );
  return (
    <Fold id={id} head={head}>
      {trigger === 'user' && <p className="quiet">{words.byUser}</p>}
      {permission !== null && <p className="quiet">{words.permission[permission.decision][permission.by]}</p>}
      <h4>{words.args}</h4>
      <ForeignText text={JSON.stringify(args, null, 2)} label={words.args} />
      <ToolOutput tool={tool} />
    </Fold>
  );
}

const tones = { pending: 'yellow', running: 'active', completed: 'neutral', error: 'red' } as const;

function ToolOutput({ tool: { output, result } }: { readonly tool: ToolState }): ReactElement {
  const words = useWords(runWords);
  const format = useFormat();
  const text = result?.content ?? output;
  return (
    <>
      <h4>
        {words.output}
        {result !== null && <span className="quiet"> {format.duration(result.durationMs)}</span>}
        {result !== null && result.exitCode !== null && (
          <span className="quiet"> {words.exitCode(result.exitCode)}</span>
        )}
      </h4>
      {text === '' ? (
        <p className="quiet">{words.noOutput}</p>
      ) : (
        <ForeignText text={text} label={words.output} />
      )}
    </>
  );
}
