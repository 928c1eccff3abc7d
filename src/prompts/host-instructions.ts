/** The text that the MCP server sends to the agent of a host when it connects. */
export const hostInstructions =
  'collab has a second coding agent advise on your work. Start with review or consult. A call returns after 15 seconds at most, with the id of its run: while its state is running, call status with that id. If a run is waiting, read its question and call answer.';
