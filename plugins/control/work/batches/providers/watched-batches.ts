import type { JsonObject } from '../../../../../schema/json/json.ts';
import { identifiedMetadata } from '../../../../sdk/exchange/identified-metadata.ts';
import { toStoredCaller } from '../../../access/identity/principal-now.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import type { Writing } from '../../../kernel/store/store.ts';
import type { ProviderBatchRow, WatchedBatchRow } from '../../../kernel/store/tables.ts';
import { unreadableAnswer } from '../../provider-requests/request-json.ts';
import type { WorkParts } from '../../provider-requests/work-parts.ts';
import { type BatchPlace, findWatched } from '../../remote-ids/remote-ids.ts';
import { nothingUsed, usageView } from '../batch/batch-members.ts';
import type { ProviderCall } from '../batch/executor.ts';

export const watchKind = 'batch-watch';

export const toPlace = ({ tenant, account: { slug } }: ProviderCall, id: string): BatchPlace => ({ tenant, slug, id });

const jobId = ({ tenant, slug, id }: BatchPlace): string => `${tenant}/${slug}/${id}`;

export const changeWatched = async (
  writing: Writing,
  { tenant, slug, id }: BatchPlace,
  change: Partial<WatchedBatchRow>,
): Promise<void> => {
  await writing
    .updateTable('watched_batches')
    .set(change)
    .where('workspace_id', '=', tenant)
    .where('slug', '=', slug)
    .where('remote_id', '=', id)
    .execute();
};

/** Returns the labels of a call's requests: those that it sent, and those of its key. */
export const toLabels = ({ context: { metadata, principal } }: ProviderCall): JsonObject =>
  identifiedMetadata(principal, metadata, () => undefined);

/** Finds the record of a batch whose provider does not store all of it. The row of an older version names no account. */
export const findKept = (db: Reading, { tenant, slug, id }: BatchPlace): Promise<ProviderBatchRow | undefined> =>
  db
    .selectFrom('provider_batches')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('slug', 'in', [slug, ''])
    .where('remote_id', '=', id)
    .orderBy('slug', 'desc')
    .executeTakeFirst();

type WatchingParts = Pick<WorkParts, 'store' | 'jobs' | 'now' | 'remoteIds'>;

const addJob = ({ jobs }: WatchingParts, writing: Writing, place: BatchPlace, runAt: number): Promise<void> =>
  jobs.add(writing, {
    ...{ kind: watchKind, id: jobId(place), tenant: place.tenant, runAt },
    payload: { slug: place.slug, batch: place.id, looks: 0 },
  });

/** Throws the `GatewayError` `unreadable-answer` if a new batch has the id of an older one of the account. */
export const rejectDuplicateId = async ({ store }: WatchingParts, call: ProviderCall, id: string): Promise<void> => {
  if ((await findWatched(store.db, toPlace(call, id))) !== undefined)
    throw unreadableAnswer(call.account, 'its new batch has the id of another one.');
};

/** Records the owner of a new batch, and makes the job wait for its end. */
export const recordBatch = async (
  parts: WatchingParts,
  call: ProviderCall,
  { id, endpoint, model }: { readonly id: string; readonly endpoint: string; readonly model?: string | undefined },
): Promise<void> => {
  const { account, context, tenant } = call;
  const { organisation = '', keyId } = context.principal;
  const createdAt = parts.now();
  await parts.remoteIds.record(tenant, {
    kind: 'batch',
    id,
    slug: account.slug,
    account: account.keyAccount?.(),
    createdBy: keyId,
  });
  const row: WatchedBatchRow = {
    ...{ workspace_id: tenant, slug: account.slug, remote_id: id, account: account.selectorHeaders[1] ?? account.slug },
    ...{ endpoint, model: model ?? null, organisation_id: organisation, key_id: keyId ?? null },
    ...{ labels: JSON.stringify(toLabels(call)), caller: JSON.stringify(toStoredCaller(context.principal)) },
    ...{ state: 'watched', ...nothingUsed, created_at: createdAt },
  };
  await parts.store.write(async (writing) => {
    await writing.insertInto('watched_batches').values(row).execute();
    await addJob(parts, writing, toPlace(call, id), createdAt);
  });
  parts.jobs.wake();
};

/** Makes the job run now, as a caller that may query its provider. */
export const runWatchJobNow = async (parts: WatchingParts, call: ProviderCall, id: string): Promise<void> => {
  const { store, jobs, now } = parts;
  const place = toPlace(call, id);
  const caller = JSON.stringify(toStoredCaller(call.context.principal));
  await store.write(async (writing) => {
    const row = await findWatched(writing, place);
    if (row === undefined || row.state === 'charged') return;
    await changeWatched(writing, place, { caller, state: 'watched' });
    if (row.state === 'given-up') await addJob(parts, writing, place, now());
    else await jobs.makeDue(writing, { kind: watchKind, id: jobId(place) });
  });
  jobs.wake();
};

/** Reads the usage members of a batch; empty until it is charged. */
export const readUsage = async ({ store }: WatchingParts, call: ProviderCall, id: string): Promise<JsonObject> => {
  const row = await findWatched(store.db, toPlace(call, id));
  return row?.state === 'charged' ? usageView(row) : {};
};
