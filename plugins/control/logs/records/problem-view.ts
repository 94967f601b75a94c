import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { RecordRow } from '../store/log-columns.ts';

/** What is wrong with a request, of its JSON. Records of older gateways have the code of an error alone. */
export const problemView = (
  problem: string | null | undefined,
  { cause }: Pick<RecordRow, 'cause'>,
): JsonObject | null => parseObject(problem ?? '') ?? (cause === null ? null : { cause });
