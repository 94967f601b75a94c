import { AsyncResource } from 'node:async_hooks';
import { expect, it } from 'vitest';
import {
  createStoredIdempotency,
  withExecutedRequests,
} from '../../../../../plugins/control/kernel/records/idempotency-store.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { retentionMs } from '../../../../../plugins/sdk/control-plane/idempotency-store.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { createRunOnce, jsonRuns } from '../../../../../runtime/control-routes/run-once.ts';
import { patience } from '../../../../support/run/patience.ts';
import { onEachStore } from '../secrets/each-store.ts';

const request = { tenant: '0198a0b0-0000-7000-8000-000000000001' as TenantId, route: 'r', key: 'k', bodyHash: 'h' };

onEachStore((newStore) => {
  it('keeps a reply for 24 hours by idempotency key, and refuses the key with another request body', async () => {
    const open = await newStore();
    let now = 1_000;
    const runOnce = createRunOnce({
      kept: createStoredIdempotency(await open(), () => now),
      now: () => now,
      notKept: () => {},
    });
    let runs = 0;
    const run = async () => {
      runs += 1;
      return { status: 200, body: { runs } };
    };
    expect(await runOnce(request, jsonRuns(run))).toEqual({ status: 200, body: { runs: 1 } });
    now += retentionMs - 1;
    expect(await runOnce(request, jsonRuns(run))).toMatchObject({ body: { runs: 1 } });
    await expect(runOnce({ ...request, bodyHash: 'other' }, jsonRuns(run))).rejects.toMatchObject({
      report: { code: 'idempotency-conflict' },
    });
    expect(await runOnce({ ...request, key: 'k2' }, jsonRuns(run))).toMatchObject({ body: { runs: 2 } });
    now += 1;
    expect(await runOnce(request, jsonRuns(run))).toMatchObject({ body: { runs: 3 } });
  });

  it('runs a request again if it failed the first time', async () => {
    const open = await newStore();
    const runOnce = createRunOnce({
      kept: createStoredIdempotency(await open(), () => 0),
      now: () => 0,
      notKept: () => {},
    });
    await expect(
      runOnce(
        request,
        jsonRuns(() => Promise.reject(new Error('broken'))),
      ),
    ).rejects.toThrow('broken');
    expect(
      await runOnce(
        request,
        jsonRuns(async () => ({ status: 200, body: 'done' })),
      ),
    ).toEqual({ status: 200, body: 'done' });
  });

  it('releases the claim of a failed request once the database is back, but no later claim', async ({ skip }) => {
    const open = await newStore();
    const store = await open();
    if (store.kind === 'sqlite') skip('One process serves a file, without claims.');
    const now = () => Date.now();
    let isAway = false;
    const reachable: Store = {
      ...store,
      write: (run) => (isAway ? Promise.reject(new StoreError('It is away.')) : store.write(run)),
    };
    const kept = createStoredIdempotency(reachable, now);
    const others = createStoredIdempotency(await open(), now);
    const [failed, taken] = [request, { ...request, key: 'taken' }];
    for (const each of [failed, taken]) expect(await kept.claim({ ...each, now: now() })).toEqual({ kind: 'yours' });
    isAway = true;
    await expect(kept.release(failed)).rejects.toThrow('It is away.');
    await expect(kept.release(taken)).rejects.toThrow('It is away.');
    expect(await others.claim({ ...failed, now: now() })).toMatchObject({ kind: 'running' });
    // Another process takes over the other claim, and still runs its request.
    expect(await others.claim({ ...taken, now: now() + 60_000 })).toEqual({ kind: 'yours' });
    isAway = false;
    await expect.poll(() => others.claim({ ...failed, now: now() }), patience).toEqual({ kind: 'yours' });
    expect(await kept.claim({ ...taken, now: now() + 60_000 })).toMatchObject({ kind: 'running' });
  });

  it('lets one process run a request that several processes receive at once', async ({ skip }) => {
    const open = await newStore();
    const stores = [await open(), await open(), await open()];
    if (stores[0]?.kind === 'sqlite') skip('One process serves a file.');
    let runs = 0;
    const run = async () => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { status: 200, body: runs };
    };
    const replies = await Promise.all(
      stores.map((store) =>
        createRunOnce({ kept: createStoredIdempotency(store, Date.now), now: Date.now, notKept: () => {} })(
          request,
          jsonRuns(run),
        ),
      ),
    );
    expect(replies.map((reply) => 'body' in reply && reply.body)).toEqual([1, 1, 1]);
  });

  it('releases the claim of a running request after a minute, unless its process renews it', async ({ skip }) => {
    const open = await newStore();
    const store = await open();
    if (store.kind === 'sqlite') skip('One process serves a file.');
    const kept = createStoredIdempotency(store, () => 0);
    expect(await kept.claim({ ...request, now: 0 })).toEqual({ kind: 'yours' });
    expect(await kept.claim({ ...request, now: 59_999 })).toEqual({ kind: 'running', bodyHash: 'h' });
    expect(await kept.claim({ ...request, now: 60_000 })).toEqual({ kind: 'yours' });
    await kept.renew({ ...request, now: 119_999 });
    expect(await kept.claim({ ...request, now: 179_998 })).toEqual({ kind: 'running', bodyHash: 'h' });
  });

  it('does not let a request run again that has changed something before its process ended', async () => {
    const open = await newStore();
    let now = 0;
    const store = withExecutedRequests(await open());
    const lost = createRunOnce({
      kept: { ...createStoredIdempotency(store, () => now), keep: () => Promise.reject(new Error('killed')) },
      now: () => now,
      notKept: () => {},
    });
    const change = () => store.write((writing) => store.bump(writing, 'keys'));
    const run = async () => {
      await change();
      return { status: 200, body: 'done' };
    };
    await lost(request, jsonRuns(run));
    const others = createStoredIdempotency(await open(), () => now);
    now = 60_000;
    expect(await others.claim({ ...request, now })).toEqual({ kind: 'changed', bodyHash: 'h' });
    const later = createRunOnce({ kept: others, now: () => now, notKept: () => {} });
    await expect(later(request, jsonRuns(run))).rejects.toMatchObject({ report: { code: 'conflict' } });
    now = retentionMs;
    expect(await others.claim({ ...request, now })).toEqual({ kind: 'yours' });
  });

  it('lets a request run again that has changed something and then failed', async () => {
    const open = await newStore();
    const store = withExecutedRequests(await open());
    const kept = createStoredIdempotency(store, () => 0);
    const runOnce = createRunOnce({ kept, now: () => 0, notKept: () => {} });
    let changeLater: () => Promise<void> = async () => {};
    const run = async () => {
      const change = () => store.write((writing) => store.bump(writing, 'keys'));
      await change();
      // What a failed request has started is not part of it.
      changeLater = AsyncResource.bind(change);
      return { status: 502, body: 'failed' };
    };
    await runOnce(request, jsonRuns(run));
    await changeLater();
    expect(await kept.claim({ ...request, now: 0 })).toEqual({ kind: 'yours' });
  });

  it('lets one of the workers that share a store run a request', async () => {
    const open = await newStore();
    const [one, other] = [await open(), await open()].map((store) =>
      createStoredIdempotency({ ...store, leads: async () => true }, () => 0),
    );
    expect(await one?.claim({ ...request, now: 0 })).toEqual({ kind: 'yours' });
    expect(await other?.claim({ ...request, now: 0 })).toEqual({ kind: 'running', bodyHash: 'h' });
    await one?.release(request);
    expect(await other?.claim({ ...request, now: 0 })).toEqual({ kind: 'yours' });
  });
});
