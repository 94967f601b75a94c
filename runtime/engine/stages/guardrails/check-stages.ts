/** All code that only plans with checks need at run time, in one module: it is loaded at once, and only for these. */
export { linkStreamChecks } from '../../stream-stages/link-stream-checks.ts';
export { denyUnreadable } from './deny-unreadable.ts';
export { linkInputChecks } from './input-checks.ts';
export { linkOutputChecks } from './output-checks.ts';
export { showHookResults } from './show-hook-results.ts';
