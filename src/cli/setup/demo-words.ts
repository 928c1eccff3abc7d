/** The text that `collab demo` prints after its run: what happened on the way, and the next steps. */
import type { CollabEvent } from '../../events/collab-event.ts';
import { howToInstallClaude } from '../../providers/claude_code/package-of-claude.ts';
import { neutralise } from '../../text/neutralise.ts';

export function closingWords(runId: string, events: readonly CollabEvent[]): string {
  const seen = events.flatMap(tell).map((line) => `  - ${neutralise(line)}\n`);
  return `
That was a rehearsal: both agents read from a script, and nothing left this machine.
${seen.length === 0 ? '' : `\nOn the way:\n\n${seen.join('')}`}
  collab show ${runId}             shows the result; --events prints every step
  collab check ${runId}            proves that its journal keeps the laws

For the real thing:

${installLine(howToInstallClaude().command, 'the lead; then: claude, and /login')}${installLine('npm install --global @openai/codex', 'the advisor; then: codex login')}${installLine('collab doctor', 'what is still missing')}${installLine('collab run "<task>"', 'in your own repository')}`;
}

/** The width is that of the longest command. */
function installLine(command: string, what: string): string {
  return `  ${command.padEnd(56)}  ${what}\n`;
}

/** The screen shows the messages; this part explains what was requested again, and why. */
function tell(event: CollabEvent): readonly string[] {
  switch (event.type) {
    case 'exchange.rejected':
      return [`an answer was rejected (${event.detail}): ${nextOf(event.action)}`];
    case 'exchange.answered_back':
      return event.declined === undefined
        ? [`the advisor asked a question, and the ${event.by} answered`]
        : [`the advisor asked a question, and got no answer: ${event.declined}`];
    case 'phase.ended':
      return event.phase === 'review' ? [`review ${event.round}: ${event.result}`] : [];
    default:
      return [];
  }
}

type Action = Extract<CollabEvent, { type: 'exchange.rejected' }>['action'];

function nextOf(action: Action): string {
  switch (action) {
    case 'repairing':
      return 'requested again, with the cause';
    case 'completing':
      return 'only these sections were requested again; the others are unchanged';
    case 'recontextualising':
      return 'requested again, with the context';
    case 'shortening':
      return 'requested again, with a shorter prompt';
    case 'waiting':
      return 'requested again after a pause';
    default:
      return 'the exchange ended there';
  }
}
