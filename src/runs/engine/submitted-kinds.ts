/** The kinds of runs that travel: a database holds them, and any worker that takes their kind drives them. */
export const submittedKinds = ['review', 'consult', 'workflow'] as const;
export type SubmittedKind = (typeof submittedKinds)[number];
