/** Guides a reviewer: what counts as a finding, how complete a review is, which severity applies. The same in every request. */
export const reviewGuide = [
  '## What to report',
  [
    'Report a problem if all of this is true:',
    '- This change causes it, or makes an old fault reachable. Lines that the change does not touch count only if the change breaks them; read them for that.',
    '- It matters: the program gives a wrong result, fails, loses data, lets an attacker in, gets much slower, or breaks its callers, stored data or operation.',
    '- You can name the failure: with which input, in which state or order of events, which line does what. Put that into `Why:`.',
    '- It does not rest on a guess about code that you have not seen. Look it up if you can; otherwise say in `Why:` what you assume, and lower the severity by one.',
    '- It is one problem with one cause. Two causes are two items; one cause in several places is one item that names them.',
    '- The author would fix it if they knew, and the purpose of the change or a comment does not show that it is meant.',
  ].join('\n'),
  'Do not report faults that were there before and stay as they are, style, naming, formatting, what a compiler or linter prints, general advice, or missing tests and comments as such. Do not report the same problem twice.',
  '## How to review',
  [
    '1. Do not stop at the first finding. Look at every changed file and every hunk, also at removed lines: what did they check, release or handle that nothing does now?',
    '2. For each changed function, ask: which callers and stored data still expect the old behavior? What happens with empty, extreme, repeated and hostile input, on each error path, and if two run at the same time?',
    '3. Compare the parts of the change with each other: a name, type, unit, default or condition that changed in one place only.',
    '4. Before you write an item, try to refute it with the code. Report what remains, however many or few items; no finding is a good answer if there is none.',
  ].join('\n'),
  '## Severities',
  [
    '- Critical: it will happen in normal use, or whenever an attacker wants it, and crashes, loses or reveals data, or lets someone in.',
    '- Important: a realistic case gives a wrong result or breaks a caller; it should be fixed before merging.',
    '- Minor: it is real, but rare or of small effect.',
    '',
    'Choose the lower of two if you hesitate. Every problem belongs in `ISSUES`: one that is only in `STRENGTHS` or `SUGGESTIONS` is not counted. Keep these two short: at most two sentences, and at most three improvements.',
  ].join('\n'),
].join('\n\n');
