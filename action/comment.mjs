// One comment of a pull request, found by its first line, a hidden mark.
import { Refusal } from './runner.mjs';
import { Unavailable } from './github-api.mjs';

const pageSize = 100;
/** GitHub limits a conversation to 2,500 comments. */
const mostPages = 30;

/** Checks again before each attempt: a failed one may still have been accepted. @returns the comment's address */
export async function putComment(api, { number, author, body, waits }) {
  const mark = body.split('\n', 1)[0];
  if (!/^<!-- [a-z:]+ -->$/.test(mark)) throw new Refusal('the comment does not begin with its mark');
  for (let attempt = 1; ; attempt++) {
    try {
      const [first, ...others] = await ownComments(api, number, { author, mark });
      const put =
        first === undefined
          ? await api('POST', `issues/${number}/comments`, { body })
          : await api('PATCH', `issues/comments/${first.id}`, { body });
      // Two parallel runs may have written one each.
      for (const { id } of others) await api('DELETE', `issues/comments/${id}`);
      return put.html_url;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      await waits.after(attempt, error);
    }
  }
}

/** Lists comments of this author only: any author can write the mark. */
async function ownComments(api, number, { author, mark }) {
  const own = [];
  for (let page = 1; page <= mostPages; page++) {
    const comments = await api('GET', `issues/${number}/comments?per_page=${pageSize}&page=${page}`);
    own.push(
      ...comments.filter(
        ({ user, body }) => user?.login === author && body?.split('\n', 1)[0].trim() === mark,
      ),
    );
    if (comments.length < pageSize) break;
  }
  return own;
}
