import type { JsonObject } from '../../../schema/json.ts';
import { parseObject } from '../../../schema/parse-json.ts';
import type { RequestProblem } from '../../sdk/request-problem.ts';
import type { NewRecord } from './record/to-record.ts';
import type { RecordRow } from './store/log-columns.ts';

/** The rows of a request with what is wrong with it among its details; most requests have nothing. */
export const withProblem = (made: NewRecord, problem: RequestProblem | undefined): NewRecord => {
  if (problem === undefined) return made;
  const detail = JSON.stringify({ ...parseObject(made.detail.detail), problem });
  const bytes = made.record.bytes + detail.length - made.detail.detail.length;
  return { record: { ...made.record, bytes }, detail: { ...made.detail, detail } };
};

/** What is wrong with a request, of its JSON. Records of older gateways have the code of an error alone. */
export const problemView = (
  problem: string | null | undefined,
  { cause }: Pick<RecordRow, 'cause'>,
): JsonObject | null => parseObject(problem ?? '') ?? (cause === null ? null : { cause });
