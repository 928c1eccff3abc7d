/** Beside the screen that needs it most; `reports/` and the wire use the same one. */
export { neutralise } from '../wire/neutralise.ts';
