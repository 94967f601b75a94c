import type { Exchange } from '../exchange/exchange.ts';
import { passedSegments } from '../http/passed-segments.ts';
import { readMethods } from '../provider/account-changes/passed-request.ts';
import { callsNoModel } from './calls-no-model.ts';

/** The last segments, or verbs, of paths at which texts are counted, which no provider charges for. */
const counts: ReadonlySet<string> = new Set([
  ...['count_tokens', 'count-tokens', 'input_tokens', 'tokenize', 'detokenize'],
  ...['counttokens', 'computetokens', 'countmessagetokens', 'counttexttokens'],
]);

const lastName = (path: string): string => passedSegments(path).at(-1)?.split(':').at(-1) ?? '';

/**
 * Whether a request makes a model answer, or starts what does. What reads, keeps, counts or ends something does not; of a path
 * that is not known it is assumed.
 */
export const generates = ({ route, request }: Pick<Exchange, 'route' | 'request'>): boolean => {
  if (route.operation !== 'opaque') return route.operation !== 'count';
  if (route.isStorage === true) return false;
  const last = lastName(request.path);
  // The run of a thread goes on with them.
  if (last === 'submit_tool_outputs') return true;
  return !counts.has(last) && readMethods(request, request.headers).some((each) => !callsNoModel(each));
};
