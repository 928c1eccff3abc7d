import { nameOfDiff } from '../../git/change/name-of-diff.ts';
import type { NamedChange, ReviewStart, StartRequest } from '../../runs/start/start-request.ts';

/** Returns a request in words, for the list of runs. */
export function titleOfStart(request: StartRequest): string {
  switch (request.kind) {
    case 'review':
      return titleOfChanges(request.changes);
    case 'run':
      return request.task ?? 'a task';
    case 'fix':
      return `Fix ${request.findings?.join(', ') ?? 'the Critical findings'} of ${request.run ?? 'the newest review'}`;
    case 'consult':
      return request.brief ?? request.phase;
  }
}

function titleOfChanges([change = { kind: 'working_tree' }]: ReviewStart['changes']): string {
  return titleOfChange(change);
}

function titleOfChange(change: NamedChange): string {
  switch (change.kind) {
    case 'argument':
      return change.words;
    case 'stdin':
      return ['a diff', nameOfDiff(change.text) ?? []].flat().join(': ');
    case 'range':
      return change.range;
    case 'base':
      return `${change.ref}...HEAD`;
    case 'staged':
      return 'staged changes';
    case 'commit':
      return `commit ${change.sha}`;
    case 'file':
      return change.path;
    case 'working_tree':
      return 'the working tree';
  }
}
