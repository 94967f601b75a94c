import { createHash } from 'node:crypto';
import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import { isSuccess } from '../../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../../schema/json/loose.ts';
import { isPlausibleUsage } from '../../../../../schema/usage/plausible-usage.ts';
import { toUsageRecord, type UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { Dialect } from '../../../../sdk/dialect/dialect.ts';
import type { UsedColumns } from '../../../kernel/store/tables/tables.ts';
import type { LateCharges } from '../../../metering/counters/limits.ts';
import { createRecords, type LedgerRecord, recordedCharge } from '../../../metering/ledger/record/ledger-record.ts';
import type { LateUses } from '../../../metering/limiter/late-uses.ts';
import type { BatchResult } from '../batch/executor.ts';
import { addUsed, nothingUsed } from '../managed/records/used.ts';
import type { BatchPlace } from '../providers/watched-batches.ts';

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
const lineUse = (
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

/** The same for the same line of the same batch, whoever reads it, and in which order. */
const useId = ({ tenant, slug, id }: BatchPlace, line: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['batch line', tenant, slug, id, line]))
    .digest('base64url');

export interface ChargedResults {
  /** The lines that were added since this was asked last, as the ledger has them. */
  take(): readonly LedgerRecord[];
  /** How many that are. */
  readonly waiting: number;
  add(result: BatchResult): void;
  /** What all lines have used. */
  readonly used: UsedColumns;
  /** Charges limits with it, as `Limits.charge` does, and the record that the ledger is to be given with that. */
  charge(at: number): Promise<{ readonly charges: LateCharges; readonly record: LedgerRecord }>;
}

export interface ChargeOptions {
  readonly place: BatchPlace;
  /** The model that all lines ask for; empty if that is not known. */
  readonly model: string;
  /** That of the endpoint of the batch. */
  readonly dialect: Dialect | undefined;
  readonly uses: LateUses;
}

/** What the lines of a batch have used, as their results come. */
export const chargeResults = ({ place, model, dialect, uses }: ChargeOptions): ChargedResults => {
  const toRecord = createRecords();
  let records: LedgerRecord[] = [];
  let number = 0;
  let used = nothingUsed;
  return {
    get waiting() {
      return records.length;
    },
    get used() {
      return used;
    },
    take() {
      const taken = records;
      records = [];
      return taken;
    },
    add(result) {
      number += 1;
      const usage = lineUse(result, dialect);
      if (usage === undefined) return;
      const id = useId(place, findText(result.line.custom_id) ?? `line ${number}`);
      const booked = uses.add({ id, trace: `${place.id}-${number}`, model, usage });
      used = addUsed(used, booked.usage);
      if (booked.posting !== undefined) records.push(toRecord(booked.posting));
    },
    async charge(at) {
      const id = useId(place, '');
      const charges = await uses.charge(id);
      return { charges, record: { id, at, charges: charges.posted.map(recordedCharge) } };
    },
  };
};
