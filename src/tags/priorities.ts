/** The callers that wait for a run, from the one that waits least. */
export const priorities = ['person', 'ci', 'batch'] as const;
export type Priority = (typeof priorities)[number];
