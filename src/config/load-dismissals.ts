/** The place of the history of dismissals, from the top of the repository. */
export const historyFile = '.collab/history.jsonl';
export const mostHistoryBytes = 1024 * 1024;
