/** The `collab.config.yaml` of `collab init`: every setting of a repository's file as a comment, with its default. */
import { may } from '../../access/permissions.ts';
import { repository } from '../../access/speaker.ts';
import { describeSetting, exampleOf } from '../../config/describe-setting.ts';
import { settingNames, settingRow } from '../../config/settings-table.ts';

export function renderInitialConfig(): string {
  const allowed = settingNames.filter((name) => may(repository, { does: settingRow(name).deed }).allowed);
  const settings = allowed.map((name) => `# ${describeSetting(name)}\n# ${name}: ${exampleOf(name)}\n`);
  return `${opening}\n${settings.join('\n')}`;
}

const opening = `# Configuration of collab. Remove the # from a setting to change it; flags override this file.
# A wrong key is an error that names the line and the nearest valid key. Advisor, lead and their programs cannot be set in a file
# of the repository. Set them in your own: ~/.config/collab/collab.config.yaml, with the same keys.
`;
