/** Checks the agents in a server's flags when the server starts, not when its first run does. */
import type { Settings } from '../../config/settings-table.ts';
import { chooseAdvisor } from '../../runs/agents/advisor-choice.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { chooseOptionalLead } from '../../runs/agents/lead-choice.ts';
import { withChosenFolders } from '../../runs/start/chosen-providers.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import type { Session } from '../session.ts';

/** @throws CollabError `usage` as `collab review` for the same flags */
export async function refuseWrongChoices(
  session: Session,
  config: Settings,
  { lead, advisor }: Pick<ServeFlags, 'lead' | 'advisor'>,
): Promise<void> {
  const { cwd, env, signal } = session;
  // Ignores the configuration's agents: a server that only shows runs starts without them.
  const byFlagsAlone: Settings = { ...config, lead: 'auto', advisor: 'auto' };
  const flags = { ...(lead === undefined ? {} : { lead }), ...(advisor === undefined ? {} : { advisor }) };
  const settings = flattenProviderSettings(await withChosenFolders(session, byFlagsAlone, flags));
  if (lead !== undefined) await chooseOptionalLead({ lead, env, settings });
  if (advisor === undefined || advisor === 'auto') return;
  await chooseAdvisor({
    advisor,
    configured: null,
    allowStatic: true,
    continuousIntegration: false,
    environment: { env, cwd, settings, signal },
  });
}
