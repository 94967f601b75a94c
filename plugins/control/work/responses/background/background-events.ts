import type { JsonObject } from '../../../../../schema/json/json.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import { jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import { outlastStore } from '../../../kernel/jobs/outlast-store.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { ResponseSeals } from '../stored/response-seals.ts';
import {
  type EndedColumns,
  endResponse,
  insertEvents,
  nextNumber,
  type OneBackground,
  readStatus,
} from './events-store.ts';
import type { ResponseFeed } from './response-feed.ts';

export interface BackgroundEventsParts {
  readonly store: Pick<Store, 'db'>;
  readonly seals: ResponseSeals;
  readonly job: Pick<RunningJob, 'commit' | 'cancellation'>;
  readonly feed: Pick<ResponseFeed, 'ended'>;
  readonly one: OneBackground;
}

/** What a response says at its end, and who made it. */
export interface BackgroundEnd extends Partial<Pick<EndedColumns, 'slug' | 'scope'>> {
  readonly response: JsonObject;
}

/**
 * The events of a response while a job makes it, numbered in their order. After another process has taken the job over, the
 * numbers go on behind those of its events.
 */
export class BackgroundEvents {
  readonly #parts: BackgroundEventsParts;
  #next: number;
  #pending: JsonObject[] = [];
  /** Whether it was cancelled, or is gone. */
  #isOver = false;
  readonly #closing = createCancellation();

  private constructor(parts: BackgroundEventsParts, next: number) {
    this.#parts = parts;
    this.#next = next;
    const { feed, one } = parts;
    const { cancellation } = this.#closing;
    void feed.ended({ ...one, cancellation }).then(() => {
      this.#isOver = true;
    });
  }

  static async open(parts: BackgroundEventsParts): Promise<BackgroundEvents> {
    return new BackgroundEvents(parts, await nextNumber(parts.store.db, parts.one));
  }

  push({ type, ...members }: JsonObject): void {
    const number = this.#next + this.#pending.length;
    this.#pending.push({ ...(type === undefined ? {} : { type }), ...members, sequence_number: number });
  }

  /** Writes what there is, and with an end the response too. False if the response was cancelled, or is another job's. */
  async write(end?: BackgroundEnd): Promise<boolean> {
    const { seals, job, one } = this.#parts;
    const events = this.#pending;
    if (events.length === 0 && end === undefined) return !this.#isOver;
    const number = this.#next;
    const following = number + events.length;
    this.#pending = [];
    this.#next = following;
    const [sealed, columns] = await outlastStore(job, () =>
      Promise.all([
        seals.seal({ ...one, field: `event ${number}` }, JSON.stringify(events)),
        end && this.#columns(end),
      ]),
    );
    let isOpen = false;
    const run = async (writing: Writing): Promise<void> => {
      isOpen = (await readStatus(writing, one)) === 'in_progress';
      if (!isOpen) return;
      const place = { workspace_id: one.tenant, response_id: one.id, number, following };
      if (events.length > 0) await insertEvents(writing, { ...place, events: sealed });
      if (columns !== undefined) await endResponse(writing, one, columns);
    };
    const outcome = await outlastStore(job, () => job.commit(run, end === undefined ? undefined : jobDone));
    return outcome === 'committed' && isOpen;
  }

  /** Ends what it watches. */
  close(): void {
    this.#closing.cancel();
  }

  async #columns({ response, ...maker }: BackgroundEnd): Promise<EndedColumns> {
    const { seals, one } = this.#parts;
    const text = JSON.stringify(response);
    return {
      ...maker,
      status: String(response.status),
      bytes: Buffer.byteLength(text),
      response: await seals.seal({ ...one, field: 'response' }, text),
    };
  }
}
