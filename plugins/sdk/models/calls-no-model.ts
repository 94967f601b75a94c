import { passedSegments } from '../http/passed-segments.ts';

/** Methods that never call a model. */
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/** First segments of paths that store things and call no model. */
const kept: ReadonlySet<string> = new Set([
  ...['files', 'uploads', 'vector_stores', 'containers', 'conversations', 'datasets', 'corpora', 'guardrail'],
]);

/** Last segments of paths, or verbs after them, that end, pause or continue something. */
const moves: ReadonlySet<string> = new Set(['cancel', 'pause', 'resume', 'stop', 'complete']);

/** The only segment of the path at which a request without a body opens a session. */
const session = 'realtime';

/**
 * Whether a passed-through request is known not to call a model, so that it need not name one. On any other path, a provider may
 * have a default model for requests that name none.
 */
export const callsNoModel = ({ method, path }: { readonly method: string; readonly path: string }): boolean => {
  const segments = passedSegments(path);
  const [first = '', second] = segments;
  if (reads.has(method)) return first !== session || second !== undefined;
  const last = segments.at(-1) ?? '';
  const [, verb = last] = /:([a-z]+)$/.exec(last) ?? [];
  if (kept.has(first) || (second !== undefined && moves.has(verb))) return true;
  if (first === 'threads') return last !== 'runs';
  return first === 'assistants' && second !== undefined;
};
