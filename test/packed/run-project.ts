/** A project for `collab run` through the installed command, its rehearsed pair, and a skill of its own. */
import { basename } from 'node:path';
import { stringify } from 'yaml';
import type { PackedResult } from './packed-collab.ts';
import type { Place } from './place.ts';

/** A repository with one commit; scripts and skills are no part of it. */
export function project(place: Place): void {
  place.git('init', '-q');
  place.write('README.md', '# one\n');
  place.write('.gitignore', 'scripts/\nskills/\n');
  place.git('add', '--all');
  place.git('commit', '-q', '-m', 'begin');
}

/** The flags that name both agents: first the lead's, then the advisor's. */
export function pair(place: Place, script: object): readonly string[] {
  place.write('scripts/pair.yaml', stringify(script));
  return ['--lead', 'rehearsal:scripts/pair.yaml', '--advisor', 'rehearsal:scripts/pair.yaml'];
}

export const skillFolder = 'skills/own';

export function addSkill(place: Place, workflow: string): void {
  place.write(`${skillFolder}/SKILL.md`, '---\nname: own\ndescription: Ours.\n---\n\nWork together.\n');
  place.write(`${skillFolder}/workflow.yaml`, workflow);
  for (const phase of ['requirements', 'design', 'implementation', 'review']) {
    place.write(
      `${skillFolder}/${phase}.md`,
      phase === 'design' ? 'Draw the data first.\n' : `Do the ${phase}.\n`,
    );
  }
}

export function answer(place: Place, text: string): Promise<PackedResult> {
  return place.collab(['answer', 'latest', '--file', '-'], { input: text });
}

/** The newest run's id. */
export function runOf(place: Place): string {
  return basename(place.lastRun());
}

/** The user's own tree among them. */
export function worktrees(place: Place): number {
  return place.git('worktree', 'list').trim().split('\n').length;
}
