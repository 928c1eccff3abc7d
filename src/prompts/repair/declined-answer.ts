/** The reasons that the advisor reads if its reverse request gets no answer. */
export const declined = {
  noLead:
    'no lead takes part in this run; everything there is to see is what was sent and, where you have it, the review folder',
  noTime: "the run's time limit is over",
  noBudget: "the run's budget is spent",
  cut: "the lead's answer was cut at its length limit",
  failed: (message: string) => `the lead could not answer: ${message}`,
  askedBack: (tag: string) =>
    `the lead asked back itself with ${tag}; a reverse request cannot be answered by another`,
  unreadable: (problem: string) => `the lead's answer ${problem}`,
} as const;
