// The images of references/images: which scene each shows, and the sources that it shows.

/** Sources of all scenes of one kind; a change of them makes their images old. */
const sources = {
  terminal: [
    'src/views/reports',
    'src/views/markdown',
    'src/views/tables',
    'src/views/talk',
    'src/cli/driving',
  ],
  chat: ['src/cli/chat', 'src/views/markdown', 'src/views/talk', 'src/views/live'],
  walk: ['src/cli/walk', 'src/views/reports'],
  lists: ['src/cli/lists', 'src/views/tables'],
  page: ['web/src', 'web/index.html'],
};

const run = [
  'run',
  'Split a bill evenly among the people at the table',
  '--lead',
  'rehearsal:demo.yaml',
  '--advisor',
  'rehearsal:demo.yaml',
];

/**
 * Scenes of the terminal: commands in a project with the example's review, or with the files of the demo; the last one is
 * shown. Each step is a text on the screen and the keys that follow it.
 */
export const terminalScenes = [
  {
    image: 'terminal-findings.png',
    sources: sources.terminal,
    commands: [['review', 'checkout.diff', '--advisor', 'rehearsal:rehearsal.yaml', '--no-cache']],
    rows: 44,
  },
  {
    image: 'terminal-walk.png',
    sources: sources.walk,
    commands: [['show', '-i']],
    until: 'Finding 1 of',
    rows: 26,
  },
  {
    image: 'terminal-live.png',
    sources: [...sources.terminal, 'src/views/live'],
    commands: [['review', 'checkout.diff', '--advisor', 'rehearsal:slow.yaml', '--no-cache']],
    until: 'thinking · 3 s',
    rows: 14,
  },
  { image: 'terminal-demo.png', sources: sources.terminal, commands: [['demo', '--no-pauses']], rows: 44 },
  {
    image: 'terminal-question.png',
    sources: sources.terminal,
    project: 'demo',
    commands: [run],
    steps: [
      ['◆  1 of', 'Enter'],
      ['◆  2 of', 'Enter'],
    ],
    until: '◆  Do you approve?',
    rows: 34,
  },
  {
    image: 'terminal-patch.png',
    sources: sources.terminal,
    project: 'demo',
    commands: [run],
    steps: [
      ['◆  1 of', 'Enter'],
      ['◆  2 of', 'Enter'],
      ['◆  Do you approve?', 'Enter'],
    ],
    until: '◆  Apply these changes',
    rows: 44,
  },
  {
    image: 'terminal-chat.png',
    sources: sources.chat,
    project: 'demo',
    commands: [['chat', '--lead', 'rehearsal']],
    steps: [
      ['Ctrl-D exits', 'what can I try?', 'Enter'],
      ['context', 'write something', 'Enter'],
    ],
    until: '◆  Allow Write?',
    rows: 34,
  },
  { image: 'terminal-runs.png', sources: sources.lists, commands: [['runs']], rows: 14 },
];

/** Scenes of the page: an address behind that of the server. */
export const pageScenes = [
  { image: 'page-home.png', sources: sources.page, address: '#/', theme: 'light', waitFor: '.recent li' },
  {
    image: 'page-review.png',
    sources: sources.page,
    address: '#/c/shop/r/RUN',
    theme: 'light',
    waitFor: '.hljs-keyword',
  },
  {
    image: 'page-timeline.png',
    sources: sources.page,
    address: '#/c/shop/r/RUN/timeline',
    theme: 'dark',
    waitFor: 'text=All events are loaded',
  },
  {
    image: 'page-usage.png',
    sources: sources.page,
    address: '#/c/shop/r/RUN/usage',
    theme: 'light',
    waitFor: 'table',
  },
];

export const scenes = [...terminalScenes, ...pageScenes];
