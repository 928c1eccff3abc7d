import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { parseRoute } from './route.ts';
import { loadAhead } from './late-parts.ts';

loadAhead(parseRoute(location.hash));
const place = document.getElementById('page');
if (place !== null) createRoot(place).render(<App />);
