/** The input of a demo run, independent of the user's configuration. */
import { defaultSettings } from '../../config/settings-table.ts';
import { newFenceSeed } from '../calls/fence-nonce.ts';
import type { Skill } from '../../prompts/skills/skill.ts';
import type { DemoProject } from './demo-project.ts';
import type { WorkflowRunInput } from '../folder/run-input.ts';
import { startSettings } from '../folder/run-settings.ts';

export interface DemoInputOptions extends DemoProject {
  readonly skill: Skill;
  /** UTC. */
  readonly startedAt: string;
}

export function demoInput({ folder, task, script, skill, startedAt }: DemoInputOptions): WorkflowRunInput {
  const agent = { provider: 'rehearsal', model: script, chosenBy: 'asked', settings: {} } as const;
  return {
    kind: 'workflow',
    schema: 'collab.input/v1',
    started_at: startedAt,
    cwd: folder,
    settings: startSettings(defaultSettings),
    advisor: { ...agent, assurance: 'none', promptLimit: null, fallback: null },
    lead: agent,
    price: null,
    fence_seed: newFenceSeed(),
    notes: [],
    reports: [],
    task,
    skill,
    gates: 'accept',
    apply: true,
    on_advisor_failure: defaultSettings.on_advisor_failure,
  };
}
