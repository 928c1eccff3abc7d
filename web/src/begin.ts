/**
 * The page's first script: small, so that the scripts and the fonts of the first view are loaded side by side, and the
 * frame in `index.html` is painted before the larger ones run.
 */
import { lateScripts, lateScriptsOf } from './late-scripts.ts';
import { parseRoute } from './route.ts';
import { requestRoute } from './server/request-route.ts';
import { showTheme } from './shown-theme.ts';

const route = parseRoute(location.hash);
const late = lateScriptsOf(route);
// A font that arrives after its text moves all of it: a browser requests one only when it draws a text.
const fonts = ['Inter Variable', ...(late.length > 0 ? ['JetBrains Mono Variable'] : [])];
showTheme();
void requestRoute(route);
// The page reports a part that cannot be loaded; a text without its font is readable.
void Promise.allSettled([
  import('./main.tsx'),
  ...late.map(async (name) => lateScripts[name]()),
  ...fonts.map(async (family) => document.fonts.load(`1em '${family}'`)),
]);
