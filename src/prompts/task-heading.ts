/** The heading over the user's task, in every prompt that shows it. */
export const taskHeading = "The task, in the user's words";
