import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  beginning,
  type EventPlace,
  readEventId,
  toEventId,
} from '../../../../plugins/control/logs/events/event-place.ts';
import { EventStream } from '../../../../plugins/control/logs/events/event-stream.ts';
import { LogFeed } from '../../../../plugins/control/logs/events/log-feed.ts';
import { findEnd, readWritten, resumeAt } from '../../../../plugins/control/logs/events/read-written.ts';
import type { RecordFilter } from '../../../../plugins/control/logs/records/record-filters.ts';
import type { LogStore } from '../../../../plugins/control/logs/writer/log-store.ts';
import { enforceRetention } from '../../../../plugins/control/logs/writer/retention.ts';
import { writeRecords } from '../../../../plugins/control/logs/writer/write-records.ts';
import type { Sink } from '../../../../plugins/sdk/http/http.ts';
import { createCancellation } from '../../../../plugins/sdk/time/cancellation.ts';
import { patience } from '../../../support/run/patience.ts';
import { describeLogs } from './support/log-stores.ts';
import { sampleRecord } from './support/sample-record.ts';

const start = Date.UTC(2026, 0, 1);
const all: RecordFilter = { comparisons: [], labels: [] };

/** Reads to the end of the log, at most `maxBlocks` blocks at a time. */
const readOn = async (
  store: LogStore,
  { from, tenant, maxBlocks }: { from: EventPlace; tenant: string; maxBlocks: number },
) => {
  const ids: string[] = [];
  const places: EventPlace[] = [];
  let end = await resumeAt(store, from);
  for (;;) {
    const read = await readWritten(store, { after: end, tenants: [tenant, 'nobody'], maxBlocks });
    ids.push(...read.records.map(({ record }) => record.id));
    places.push(...read.records.map(({ place }) => place));
    end = read.end;
    if (!read.hasMore) return { ids, places, end };
  }
};

/** A batch of records of two workspaces and any times, as a process writes them after a time in which it could not. */
const batch = fc.array(
  fc.record({
    workspace: fc.constantFrom('one', 'two'),
    seconds: fc.integer({ min: 0, max: 100 }),
    large: fc.boolean(),
  }),
  { minLength: 1, maxLength: 150 },
);

describeLogs('the part of the log after a place', (log) => {
  it('contains each record of the workspace once, in the order of writing, wherever reading resumes', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(),
        async (batches, maxBlocks, chosen) => {
          run += 1;
          const { store } = log();
          const from = await findEnd(store);
          const tenant = `one-${run}`;
          const model: string[][] = [];
          let count = 0;
          for (const rows of batches) {
            const records = rows.map(({ workspace, seconds, large }) => {
              count += 1;
              const digits = (start + seconds * 1000).toString(16).padStart(12, '0');
              const id = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${String(run * 1000 + count).padStart(12, '0')}`;
              const detail = JSON.stringify({ text: large ? 'x'.repeat(3000) : '' });
              return sampleRecord({ id, workspace_id: `${workspace}-${run}`, detail, has_problem: large ? 1 : 0 });
            });
            await writeRecords(store, records);
            model.push(records.flatMap(({ record }) => (record.workspace_id === tenant ? [record.id] : [])));
          }
          const whole = await readOn(store, { from, tenant, maxBlocks });
          expect(whole.ids).toEqual(model.flat());
          const at = whole.places.length === 0 ? -1 : chosen % whole.places.length;
          const place = readEventId(toEventId(whole.places[at] ?? from)) ?? beginning;
          const rest = await readOn(store, { from: place, tenant, maxBlocks });
          expect(rest.ids).toEqual(whole.ids.slice(at + 1));
          expect((await readOn(store, { from: whole.end, tenant, maxBlocks })).ids).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is the whole log if that was emptied in the meantime and its blocks are numbered anew', async () => {
    const { store } = log();
    await writeRecords(store, [sampleRecord({ workspace_id: 'emptied' })]);
    const place = await findEnd(store);
    const now = Date.now() + 10 * 86_400_000;
    await enforceRetention({ store, kept: { days: 1, bytes: Number.MAX_SAFE_INTEGER }, now, pause: async () => true });
    expect(await findEnd(store)).toEqual(beginning);
    const later = Array.from({ length: 3 }, () => sampleRecord({ workspace_id: 'emptied' }));
    await writeRecords(store, later);
    const read = await readOn(store, { from: place, tenant: 'emptied', maxBlocks: 1 });
    expect(read.ids).toEqual(later.map(({ record }) => record.id));
  });
});

/** Opens a reader that accepts what it is sent, or stalls. */
const openReader = () => {
  const frames: string[] = [];
  const state = { isStalled: false, ended: false };
  let resume = (): void => {};
  const sink: Sink = {
    write: (bytes) => {
      frames.push(Buffer.from(bytes).toString());
      return !state.isStalled;
    },
    onDrain: (run) => {
      resume = run;
    },
    end: () => {
      state.ended = true;
    },
    fail: () => {},
  };
  return {
    ...{ frames, state, sink },
    drain: () => {
      state.isStalled = false;
      resume();
    },
    models: () => frames.flatMap((frame) => /"model":"([^"]*)"/.exec(frame)?.[1] ?? []),
    leftOut: () => frames.flatMap((frame) => /left_out","count":(\d+)/.exec(frame)?.[1] ?? []).map(Number),
  };
};

describeLogs('a stream of events', (log) => {
  let run = 0;
  let time = Date.now();
  const follow = async (
    options: { readonly filter?: RecordFilter; readonly mayGoOn?: () => Promise<boolean> } = {},
  ) => {
    run += 1;
    const { store } = log();
    const tenant = `stream-${run}`;
    let reads = 0;
    const feed = new LogFeed({
      store: () => {
        reads += 1;
        return store;
      },
      inTurn: (_, work) => work(),
    });
    const { cancellation, cancel } = createCancellation();
    onTestFinished(cancel);
    const open = async (place?: EventPlace) => {
      const reader = openReader();
      const stream = new EventStream({
        ...{ tenant, filter: options.filter ?? all, place: place ?? (await findEnd(store)), cancellation },
        mayGoOn: options.mayGoOn ?? (async () => true),
        follow: feed.follow,
      });
      stream.start(reader.sink);
      return { reader, stream };
    };
    const write = (names: readonly string[], workspace = tenant) =>
      writeRecords(
        store,
        names.map((model) => {
          // Ids sort by their times.
          time += 1;
          return sampleRecord({ workspace_id: workspace, model, created_at: time });
        }),
      );
    return { open, write, store, reads: () => reads };
  };

  it('contains the records written while it is open that match its workspace and its filter', async () => {
    const { open, write } = await follow({
      filter: { comparisons: [{ column: 'status', is: '=', value: 200 }], labels: [] },
    });
    const { reader } = await open();
    await write(['a', 'b']);
    await write(['foreign'], 'somebody-else');
    await write(['c']);
    await expect.poll(reader.models, patience).toEqual(['a', 'b', 'c']);
  });

  it('resumes after the id of the last event, even while more records are written', async () => {
    const { open, write } = await follow();
    const first = await open();
    await write(['a', 'b', 'c']);
    await expect.poll(first.reader.models, patience).toEqual(['a', 'b', 'c']);
    const id = /id: (\S+)/.exec(first.reader.frames.find((frame) => frame.includes('"b"')) ?? '')?.[1] ?? '';
    await write(Array.from({ length: 400 }, (_, at) => `m${at}`));
    const second = await open(readEventId(id));
    await write(['last']);
    const expected = ['c', ...Array.from({ length: 400 }, (_, at) => `m${at}`), 'last'];
    await expect.poll(second.reader.models, patience).toEqual(expected);
  });

  it('counts the records that it leaves out while its reader stalls, and does not slow other streams', async () => {
    const { open, write } = await follow();
    const slow = await open();
    const quick = await open();
    await write(['first']);
    await expect.poll(slow.reader.models, patience).toEqual(['first']);
    slow.reader.state.isStalled = true;
    const names = Array.from({ length: 700 }, (_, at) => `m${at}`);
    await write(names);
    await expect.poll(quick.reader.models, patience).toEqual(['first', ...names]);
    slow.reader.drain();
    await write(['after']);
    await expect.poll(slow.reader.models, patience).toContain('after');
    const shown = slow.reader.models();
    const [count = 0] = slow.reader.leftOut();
    expect(count).toBeGreaterThan(300);
    expect(shown.length + count).toBe(names.length + 2);
    expect(shown).toEqual(['first', ...names.slice(0, shown.length - 2), 'after']);
  });

  it('ends when its caller is no longer allowed to read it', async () => {
    let isValid = true;
    const { open } = await follow({ mayGoOn: async () => isValid });
    const { reader, stream } = await open();
    expect(stream.isOver).toBe(false);
    isValid = false;
    await expect.poll(() => [reader.state.ended, stream.isOver], patience).toEqual([true, true]);
  });

  it('shares the reads of the log with all other streams', async () => {
    const { open, write, reads } = await follow();
    const readers = await Promise.all(Array.from({ length: 30 }, () => open()));
    await write(['a']);
    for (const { reader } of readers) await expect.poll(reader.models, patience).toEqual(['a']);
    const before = reads();
    await write(['b']);
    for (const { reader } of readers) await expect.poll(reader.models, patience).toEqual(['a', 'b']);
    // If each stream read for itself, there would be thirty reads.
    expect(reads() - before).toBeLessThan(25);
    for (const { stream } of readers) stream.discard();
  });

  it('stops the reads of the log when it ends, if there is no other stream', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { open, write, reads } = await follow();
    const arrives = ({ models }: ReturnType<typeof openReader>, name: string) =>
      expect
        .poll(async () => {
          await vi.advanceTimersByTimeAsync(1000);
          return models();
        }, patience)
        .toContain(name);
    const first = await open();
    await write(['a']);
    await arrives(first.reader, 'a');
    const before = reads();
    first.stream.discard();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(reads()).toBe(before);
    const second = await open();
    await write(['b']);
    await arrives(second.reader, 'b');
    expect(reads()).toBeGreaterThan(before);
    second.stream.discard();
  });
});

it('an event id is valid only if it is three whole numbers', () => {
  for (const text of ['', '1', '1.2', '1.2.3.4', '-1.2.3', '1.2.x', '9007199254740993.1.1', '1.2.3 '])
    expect([text, readEventId(text)]).toEqual([text, undefined]);
  expect(readEventId('1.2.3')).toEqual({ block: 1, seen: 2, record: 3 });
});
