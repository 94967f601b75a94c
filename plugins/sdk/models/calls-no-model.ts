import { passedSegments } from '../http/passed-segments.ts';

/** Methods by which no model is called. */
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/** The first segments of paths at which things are kept, and no model is called. */
const kept: ReadonlySet<string> = new Set([
  ...['files', 'uploads', 'vector_stores', 'containers', 'conversations', 'datasets', 'corpora', 'guardrail'],
]);

/** The last segments of paths, or the verbs behind them, that end something or let it go on. */
const moves: ReadonlySet<string> = new Set(['cancel', 'pause', 'resume', 'stop', 'complete']);

/**
 * Whether a request that is passed through is known to call no model, so that it need not name one. On any other path a
 * provider may have a model of its own for requests that name none.
 */
export const callsNoModel = ({ method, path }: { readonly method: string; readonly path: string }): boolean => {
  if (reads.has(method)) return true;
  const segments = passedSegments(path);
  const [first = '', second] = segments;
  const last = segments.at(-1) ?? '';
  const [, verb = last] = /:([a-z]+)$/.exec(last) ?? [];
  if (kept.has(first) || (second !== undefined && moves.has(verb))) return true;
  if (first === 'threads') return last !== 'runs';
  return first === 'assistants' && second !== undefined;
};
