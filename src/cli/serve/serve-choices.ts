/** Whom the flags of a server name is looked at when it starts, not when the first run begins. */
import type { Settings } from '../../config/settings.ts';
import { chooseAdvisor } from '../../runs/agents/advisor-choice.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { chooseOptionalLead } from '../../runs/agents/lead-choice.ts';
import { withChosenFolders } from '../flags/chosen-providers.ts';
import type { ServeFlags } from '../commands/serve-command.ts';
import type { Session } from '../session.ts';

/** @throws CollabError `usage` as `collab review` for the same flags */
export async function refuseWrongChoices(
  session: Session,
  config: Settings,
  { lead, advisor }: Pick<ServeFlags, 'lead' | 'advisor'>,
): Promise<void> {
  const { cwd, env, signal } = session;
  // A server that only shows runs starts, whomever the configuration names.
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
