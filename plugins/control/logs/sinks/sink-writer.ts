import type { Clock } from '../../../sdk/clock.ts';
import { type LateSlugs, lateSlugs } from '../../../sdk/control-plane/late-slugs.ts';
import type { SinkStatus } from '../../../sdk/control-plane/store-status.ts';
import { HeldBytes } from '../../../sdk/fairness/held-bytes.ts';
import { traceSampler } from '../../../sdk/logs/trace-sampler.ts';
import type { SinkEntry } from '../../../sdk/sink/sink-entry.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { wait } from '../../../sdk/time/wait.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { FinishedRequest } from '../encoding/noted-request.ts';
import type { LogSettings } from '../settings/log-settings.ts';
import { BatchMemory } from '../writer/log-job.ts';
import { bodyTextsAhead } from '../writer/sealed-bodies.ts';
import { SinkBatch } from './sink-batch.ts';
import type { SinkOutlet } from './sink-outlet.ts';

export interface SinkWriterOptions {
  readonly entries: readonly SinkEntry[];
  readonly settings: Pick<LogSettings, 'bodyBytes' | 'redact'>;
  readonly outlet: SinkOutlet;
  /** Returns the slug of the workspace with an id; undefined if there is none. */
  readonly findSlug: (workspace: string) => Promise<string | undefined>;
  readonly clock: Clock;
  /** How many processes hand over to the same sinks. Each gets an equal part of the memory. */
  readonly workers: number;
}

/** How long a record waits for others, in milliseconds. */
const gatherMs = 250;
/** The maximum number of records that the thread has not taken yet. */
const maxWaiting = 20_000;
/** The maximum number of bytes of the records of all processes. One workspace has at most a quarter of it. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Hands requests that have ended over to the sinks. Failures here or at a receiver never affect requests: records for which there
 * is no room are dropped and counted.
 */
export class SinkWriter {
  readonly #options: SinkWriterOptions;
  readonly #memory = new BatchMemory();
  readonly #closing = createCancellation();
  readonly #held = new HeldBytes();
  readonly #samples: readonly ((trace: string) => boolean)[];
  readonly #slugs: LateSlugs | undefined;
  readonly #maxBytes: number;
  #filling: SinkBatch | undefined;
  #waiting = 0;

  constructor(options: SinkWriterOptions) {
    this.#options = options;
    const { entries, clock, findSlug, workers } = options;
    this.#maxBytes = maxBytes / workers;
    this.#samples = entries.map(({ sample }) => traceSampler(sample));
    this.#slugs = entries.some(({ workspaces }) => workspaces !== undefined)
      ? lateSlugs({ find: findSlug, clock })
      : undefined;
  }

  /**
   * Takes a request, and returns the bytes of its record's id, which must be read immediately; undefined if no sink gets the
   * record. Never throws and never waits.
   */
  add(request: FinishedRequest): Uint8Array | undefined {
    const slug = this.#slugs?.of(request.workspace);
    if (slug !== undefined && typeof slug !== 'string') return this.#addLater(request, slug);
    return this.#add(request, this.#wanted(request, slug));
  }

  /** Returns the status of each sink, in the order of the gateway file; undefined if another process knows it. */
  status(): readonly SinkStatus[] | undefined {
    const filling = this.#filling?.counts ?? [];
    return this.#options.outlet
      .status()
      ?.map((status, at) => ({ ...status, waiting: status.waiting + (filling[at] ?? 0) }));
  }

  /** Sends waiting records for at most `graceMs`, and drops the rest. */
  async close(graceMs: number): Promise<void> {
    this.#closing.cancel();
    this.#handOver();
    await this.#options.outlet.close(graceMs);
  }

  /** Adds a request whose workspace slug is not known yet. */
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
    const { settings, entries } = this.#options;
    if (this.#closing.cancellation.cancelled || this.#waiting >= maxWaiting) return this.#drop(wanted);
    const { workspace, bodies } = request;
    const room = Math.min(this.#maxBytes - this.#held.all, this.#maxBytes / 4 - this.#held.of(workspace));
    const batch = this.#filling ?? new SinkBatch(this.#memory, entries.length);
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
    if (batch.notes.isFull || batch.bytes > this.#maxBytes / 16) this.#handOver();
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
    void this.#options.outlet.take(batch.toMessage(), batch.counts).then(() => this.#release(batch));
  }

  #release(batch: SinkBatch): void {
    this.#waiting -= batch.count;
    for (const [workspace, bytes] of batch.held) this.#held.give(workspace, bytes);
    this.#memory.release(batch.notes);
  }

  #drop(wanted: number): undefined {
    this.#options.outlet.drop(wanted);
    return undefined;
  }
}
