import type { Clock } from '../../../sdk/clock.ts';
import { type LateSlugs, lateSlugs } from '../../../sdk/control-plane/late-slugs.ts';
import type { SinkStatus } from '../../../sdk/control-plane/store-status.ts';
import { HeldBytes } from '../../../sdk/fairness/held-bytes.ts';
import { traceSampler } from '../../../sdk/logs/trace-sampler.ts';
import type { SinkEntry } from '../../../sdk/sink/sink-entry.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { wait } from '../../../sdk/time/wait.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { FinishedRequest } from '../recording/noted-request.ts';
import { bodyTextsAhead } from '../recording/sealed-bodies.ts';
import type { LogSettings } from '../settings/log-settings.ts';
import { BatchMemory } from '../writer/log-job.ts';
import { addBits, SinkBatch } from './sink-batch.ts';
import { SinkReports } from './sink-reports.ts';
import type { SinkThread } from './sink-thread.ts';

export interface SinkWriterOptions {
  readonly entries: readonly SinkEntry[];
  readonly settings: Pick<LogSettings, 'bodyBytes' | 'redact'>;
  readonly thread: SinkThread;
  /** The slug of the workspace with an id; undefined if there is none. */
  readonly findSlug: (workspace: string) => Promise<string | undefined>;
  readonly clock: Clock;
  /** Reports to the operator, one line each. */
  readonly say: (text: string) => void;
  /** The most records that the thread has not taken yet. */
  readonly maxWaiting?: number;
  /** The most bytes that they take. One workspace has at most a quarter of them. */
  readonly maxBytes?: number;
}

/** The time that a record waits for others, in milliseconds. */
const gatherMs = 250;
const reportMs = 1000;
/** The milliseconds that the thread has beyond the time in which its sinks may send. */
const endMs = 500;

/**
 * Hands requests that have ended over to the thread of the sinks. Whatever happens to that, or to a receiver, requests do not
 * notice: what there is no room for is dropped, and counted.
 */
export class SinkWriter {
  readonly #options: Required<SinkWriterOptions>;
  readonly #memory = new BatchMemory();
  readonly #closing = createCancellation();
  /** Those that were handed over and are not taken, the first first. */
  readonly #handed: SinkBatch[] = [];
  readonly #held = new HeldBytes();
  readonly #reports: SinkReports;
  readonly #samples: readonly ((trace: string) => boolean)[];
  readonly #slugs: LateSlugs | undefined;
  readonly #dropped: number[];
  #filling: SinkBatch | undefined;
  #waiting = 0;

  constructor(options: SinkWriterOptions) {
    this.#options = { maxWaiting: 20_000, maxBytes: 32 * 1024 * 1024, ...options };
    const { entries, thread, clock, say, findSlug } = options;
    this.#samples = entries.map(({ sample }) => traceSampler(sample));
    this.#dropped = entries.map(() => 0);
    this.#slugs = entries.some(({ workspaces }) => workspaces !== undefined)
      ? lateSlugs({ find: findSlug, clock })
      : undefined;
    this.#reports = new SinkReports({ clock, say, status: () => this.status() });
    thread.onTaken(() => this.#taken());
    thread.onLost(() => this.#lost());
    void this.#reportAtTimes();
  }

  /** Takes a request, and gives the bytes of the id of its record, to be read at once; none where no sink gets it. It never throws, and never waits. */
  add(request: FinishedRequest): Uint8Array | undefined {
    const slug = this.#slugs?.of(request.workspace);
    if (slug !== undefined && typeof slug !== 'string') return this.#addLater(request, slug);
    return this.#add(request, this.#wanted(request, slug));
  }

  /** How each sink does, in the order of the gateway file. */
  status(): readonly SinkStatus[] {
    const batches = [...this.#handed, ...(this.#filling === undefined ? [] : [this.#filling])];
    return this.#options.entries.map(({ name, sink }, at) => {
      const { failing, ...counts } = this.#options.thread.status(at);
      return {
        ...{ name, sink, ...counts },
        waiting: batches.reduce((sum, batch) => sum + (batch.counts[at] ?? 0), counts.waiting),
        dropped: counts.dropped + (this.#dropped[at] ?? 0),
        ...(failing === undefined ? {} : { failing }),
      };
    });
  }

  /** Has what waits be sent, for so long at most; the rest is given up. */
  async close(graceMs: number): Promise<void> {
    this.#closing.cancel();
    this.#handOver();
    await this.#options.thread.close(graceMs, endMs);
    this.#lost();
    this.#reports.end();
  }

  /** Adds a request whose workspace is not known by its slug yet. */
  #addLater(request: FinishedRequest, slug: Promise<string>): Uint8Array {
    const id = Buffer.from(newId(request.at).replaceAll('-', ''), 'hex');
    void slug.then((known) => this.#add(request, this.#wanted(request, known), id));
    return id;
  }

  #wanted({ workspace, line }: FinishedRequest, slug: string | undefined): number {
    let bits = 0;
    for (const [at, { workspaces }] of this.#options.entries.entries()) {
      const isOfIt = workspaces === undefined || workspaces.includes(workspace) || workspaces.includes(slug ?? '');
      if (isOfIt && this.#samples[at]?.(line.trace) === true) bits |= 1 << at;
    }
    return bits;
  }

  #add(request: FinishedRequest, wanted: number, id?: Uint8Array): Uint8Array | undefined {
    if (wanted === 0) return undefined;
    const { maxWaiting, maxBytes, settings } = this.#options;
    if (this.#closing.cancellation.cancelled || this.#waiting >= maxWaiting) return this.#drop(wanted);
    const { workspace, bodies } = request;
    const room = Math.min(maxBytes - this.#held.all, maxBytes / 4 - this.#held.of(workspace));
    const batch = this.#filling ?? new SinkBatch(this.#memory, this.#dropped.length);
    const texts = bodies === undefined ? undefined : bodyTextsAhead(bodies, settings);
    const taken = batch.add(request, { wanted, room, texts, ...(id === undefined ? {} : { id }) });
    if (taken === undefined) {
      if (batch !== this.#filling) this.#memory.release(batch.notes);
      return this.#drop(wanted);
    }
    this.#waiting += 1;
    this.#held.take(workspace, taken);
    const { lastId } = batch.notes;
    if (batch !== this.#filling) void this.#gather(batch);
    if (batch.notes.isFull || batch.bytes > maxBytes / 16) this.#handOver();
    return lastId;
  }

  async #gather(batch: SinkBatch): Promise<void> {
    this.#filling = batch;
    if ((await wait(gatherMs, this.#options.clock, this.#closing.cancellation)) && this.#filling === batch)
      this.#handOver();
  }

  #handOver(): void {
    const batch = this.#filling;
    if (batch === undefined) return;
    this.#filling = undefined;
    this.#handed.push(batch);
    if (!this.#options.thread.post(batch.toMessage())) this.#lost();
  }

  #taken(): void {
    const batch = this.#handed.shift();
    if (batch !== undefined) this.#release(batch);
  }

  /** The thread has ended, and with it what was handed over. */
  #lost(): void {
    for (const batch of this.#handed.splice(0)) {
      for (const [sink, count] of batch.counts.entries()) this.#dropped[sink] = (this.#dropped[sink] ?? 0) + count;
      this.#release(batch);
    }
  }

  #release(batch: SinkBatch): void {
    this.#waiting -= batch.count;
    for (const [workspace, bytes] of batch.held) this.#held.give(workspace, bytes);
    this.#memory.release(batch.notes);
  }

  #drop(wanted: number): undefined {
    addBits(this.#dropped, wanted);
    return undefined;
  }

  async #reportAtTimes(): Promise<void> {
    while (await wait(reportMs, this.#options.clock, this.#closing.cancellation)) this.#reports.look();
  }
}
