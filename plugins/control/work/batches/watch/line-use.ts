import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import { isSuccess } from '../../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject } from '../../../../../schema/json/loose.ts';
import { isPlausibleUsage } from '../../../../../schema/usage/plausible-usage.ts';
import { toUsageRecord, type UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { Dialect } from '../../../../sdk/dialect/dialect.ts';

/** The service tier that batches have prices of. */
const tier = 'batch';

const nothing: Usage = { input: 0, output: 0 };

const usageIn = (body: JsonObject, dialect: Dialect | undefined): Usage | undefined => {
  try {
    return dialect?.usage?.(body);
  } catch {
    // A dialect of a plugin failed.
    return undefined;
  }
};

/**
 * What a result says that its line used; undefined for a line that never ran. A line that failed used nothing, as any
 * request that a provider answers with an error.
 */
export const lineUse = (
  { line, usage }: { readonly line: JsonObject; readonly usage?: Usage | undefined },
  dialect: Dialect | undefined,
): UsageRecord | undefined => {
  const response = findObject(line.response);
  if (response === undefined) return undefined;
  const body = findObject(response.body) ?? {};
  const isRun = isSuccess(findNumber(response.status_code) ?? 200);
  const used = isRun ? (usage ?? usageIn(body, dialect)) : undefined;
  const model = dialect?.answeredBy?.(body) ?? '';
  return used !== undefined && isPlausibleUsage(used)
    ? toUsageRecord({ ...used, tier }, { kind: used.missing === undefined ? 'reported' : 'partial', model })
    : toUsageRecord({ ...nothing, tier }, { kind: 'none', model });
};
