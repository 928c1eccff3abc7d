// Which pull request an event is about. A run of a fork's pull request cannot be asked: its files are the fork's.
import { Refusal } from './runner.mjs';

/** @returns `{ number, sha }`; null where it has gone on or is closed */
export async function findPullRequest(api, event, wanted) {
  if (wanted !== '') return numbered(api, wanted);
  const { pull_request: request, workflow_run: run } = event;
  if (request !== undefined) return { number: request.number, sha: request.head.sha };
  if (run === undefined) throw new Refusal('this event has no pull request: give the input pull-request');
  const head = `${run.head_repository.owner.login}:${run.head_branch}`;
  const open = await api('GET', `pulls?state=open&per_page=100&head=${encodeURIComponent(head)}`);
  const found = open.find(
    ({ head: at }) => at.sha === run.head_sha && at.repo?.full_name === run.head_repository.full_name,
  );
  return found === undefined ? null : { number: found.number, sha: run.head_sha };
}

async function numbered(api, wanted) {
  if (!/^[1-9]\d{0,9}$/.test(wanted)) throw new Refusal(`pull-request takes a number, not "${wanted}"`);
  const { number, head } = await api('GET', `pulls/${wanted}`);
  return { number, sha: head.sha };
}
