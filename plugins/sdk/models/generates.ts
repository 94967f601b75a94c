import type { Exchange } from '../exchange/exchange.ts';
import { passedSegments } from '../http/passed-segments.ts';
import { readMethods } from '../provider/account-changes/passed-request.ts';
import { callsNoModel } from './calls-no-model.ts';

/** Last segments, or verbs, of paths that count texts, which no provider charges for. */
const counts: ReadonlySet<string> = new Set([
  ...['count_tokens', 'count-tokens', 'input_tokens', 'tokenize', 'detokenize'],
  ...['counttokens', 'computetokens', 'countmessagetokens', 'counttexttokens'],
]);

const lastName = (path: string): string => passedSegments(path).at(-1)?.split(':').at(-1) ?? '';

/**
 * Whether a request makes a model answer, or starts something that does. Requests that read, store, count or end something do
 * not. Unknown paths are assumed to.
 */
export const generates = ({ route, request }: Pick<Exchange, 'route' | 'request'>): boolean => {
  if (route.operation !== 'opaque') return route.operation !== 'count';
  if (route.isStorage === true) return false;
  const last = lastName(request.path);
  // They make the run of a thread continue.
  if (last === 'submit_tool_outputs') return true;
  return !counts.has(last) && readMethods(request, request.headers).some((each) => !callsNoModel(each));
};
