/** The form of an answer to the advisor's questions in a task; the page has words for it in each language. */
export const clarificationHint = 'the answers as you like, best in the same order';
