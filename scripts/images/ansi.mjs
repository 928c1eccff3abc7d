// Renders the text of a terminal, with its colors, as HTML.

const classes = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underline'],
  [31, 'red'],
  [32, 'green'],
  [33, 'yellow'],
  [34, 'blue'],
  [35, 'magenta'],
  [36, 'cyan'],
]);

const style = `
  @font-face { font-family: Mono; src: url(FONT); font-weight: 100 800; }
  body { margin: 0; background: #16181d; }
  pre { display: inline-block; margin: 0; padding: 18px 22px; color: #d9dce3; font: 13px/1.45 Mono, monospace; font-variant-ligatures: none; }
  .bold { font-weight: 700; color: #f4f5f7; } .dim { color: #8b919d; } .italic { font-style: italic; } .underline { text-decoration: underline; }
  .red { color: #ff8f88; } .green { color: #86d9a0; } .yellow { color: #f0cf70; } .blue { color: #8fbffa; } .magenta { color: #d3a9ff; } .cyan { color: #7fd6dc; }
`;

/** Links show nothing. */
// oxlint-disable-next-line no-control-regex
const links = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// oxlint-disable-next-line no-control-regex
const styles = /\u001b\[([\d;]*)m/;

/** `font` is the address of a monospaced font. */
export function terminalPage(text, font) {
  return `<!doctype html><meta charset="utf-8"><style>${style.replace('FONT', font)}</style><pre>${spans(text)}</pre>`;
}

function spans(text) {
  let active = [];
  const parts = text.replaceAll(links, '').split(styles);
  return parts
    .map((part, index) => {
      if (index % 2 === 0)
        return part === '' ? '' : `<span class="${active.join(' ')}">${escaped(part)}</span>`;
      active = part.split(/;/).map(Number).reduce(next, active);
      return '';
    })
    .join('');
}

/** tmux ends all styles by 0, and names each new one. */
function next(active, code) {
  if (code === 0) return [];
  const name = classes.get(code);
  if (name !== undefined) return [...active.filter((other) => other !== name), name];
  if (code === 39) return active.filter((other) => !colorNames.has(other));
  return active;
}

const colorNames = new Set(['red', 'green', 'yellow', 'blue', 'magenta', 'cyan']);

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
