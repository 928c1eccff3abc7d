/** Makes one real exchange with Codex about three lines, in a folder of its own. */
import type { Settings } from '../../config/settings-table.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import { review } from '../../runs/review/library-call.ts';
import type { DoctorCheck } from '../commands/doctor-command.ts';
import { printableError } from '../printable-error.ts';
import type { Session } from '../session.ts';
import { renderCount } from '../../text/quantities.ts';

const change = `diff --git a/greet.js b/greet.js
--- a/greet.js
+++ b/greet.js
@@ -1,1 +1,3 @@
-export const greeting = 'hello';
+export function greet(name) {
+  return 'hello ' + name;
+}
`;

export async function checkLive(session: Session, settings: Settings): Promise<DoctorCheck> {
  const cwd = makeTemporaryFolder('collab-live-');
  try {
    const { result } = review({
      change: { kind: 'stdin', text: change },
      cwd,
      env: { ...session.env, COLLAB_HOME: cwd },
      advisor: 'codex',
      providers: settings.providers,
      signal: session.signal,
    });
    const { outcome, reasons, exchanges } = await result;
    const settled = outcome === 'clean' || outcome === 'findings';
    const attempts = exchanges.reduce((sum, exchange) => sum + exchange.attempts.length, 0);
    return {
      name: 'live',
      state: settled ? 'ok' : 'fails',
      text: settled ? `a whole answer after ${renderCount(attempts, 'request')}` : reasons.join('; '),
      hint: null,
    };
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    return { name: 'live', state: 'fails', text: printableError(error.message), hint: error.hint };
  } finally {
    await removeTree(cwd);
  }
}
