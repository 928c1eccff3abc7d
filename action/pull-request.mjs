// Finds the pull request of an event. Reads nothing from the files of a fork's run: the fork controls them.
import { Refusal } from './runner.mjs';

/** @returns `{ number, sha }`; null if it has newer commits or is closed */
export async function findPullRequest(api, event, wanted) {
  if (wanted !== '') return numbered(api, wanted);
  const { pull_request: request, workflow_run: run } = event;
  if (request !== undefined) return { number: request.number, sha: request.head.sha };
  if (run === undefined) throw new Refusal('this event has no pull request: give the input pull-request');
  // The fork was deleted: its pull request has no head to compare.
  if (run.head_repository === null || run.head_repository === undefined) return null;
  const head = `${run.head_repository.owner.login}:${run.head_branch}`;
  const open = await api('GET', `pulls?state=open&per_page=100&head=${encodeURIComponent(head)}`);
  const found = ofRun(
    run,
    open.filter(
      ({ head: at }) => at.sha === run.head_sha && at.repo?.full_name === run.head_repository.full_name,
    ),
  );
  return found === undefined ? null : { number: found.number, sha: run.head_sha };
}

/** One head may have a pull request for each of several bases; only the run knows which one was reviewed. */
function ofRun(run, candidates) {
  if (candidates.length < 2) return candidates[0];
  const named = candidates.filter(({ number }) => run.pull_requests?.some((each) => each.number === number));
  if (named.length === 1) return named[0];
  const numbers = candidates.map(({ number }) => `#${number}`).join(', ');
  throw new Refusal(`${numbers} have the same head: give the input pull-request`);
}

async function numbered(api, wanted) {
  if (!/^[1-9]\d{0,9}$/.test(wanted)) throw new Refusal(`pull-request takes a number, not "${wanted}"`);
  const { number, head, state } = await api('GET', `pulls/${wanted}`);
  return state === 'open' ? { number, sha: head.sha } : null;
}
