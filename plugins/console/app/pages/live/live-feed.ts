import { signal } from '@preact/signals';
import { acrossSessions } from '../../api/across-sessions.ts';
import { get, type Query } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/error.ts';
import { followEvents } from '../../api/events.ts';
import type { LogPage, LogRecord } from './log-record.ts';
import { maxShown, RecordRing, type Shown } from './record-ring.ts';

/** The minimum time between two renderings of the page, however many records arrive. */
const drawMs = 250;

export interface LiveState extends Shown {
  readonly connection: 'connecting' | 'live' | 'broken';
  readonly isPaused: boolean;
  /** How many records the gateway omitted because they arrived faster than they were read. */
  readonly omitted: number;
  readonly error: ApiError | undefined;
}

/** Follows the log with filters until `end` is called. */
export class LiveFeed {
  readonly state = signal<LiveState>({
    ...{ records: [], waiting: 0, isMore: false, connection: 'connecting', isPaused: false, omitted: 0 },
    error: undefined,
  });
  readonly #ring = new RecordRing();
  readonly #ending = new AbortController();
  readonly #filters: Query;
  #arrived: LogRecord[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isListed = false;

  constructor(filters: Query) {
    this.#filters = filters;
  }

  start(): void {
    void followEvents('/logs/events', {
      query: this.#filters,
      signal: this.#ending.signal,
      onEvent: ({ event, data }) => {
        if (event === 'log') this.#take(JSON.parse(data));
        else if (event === 'left_out')
          this.#change({ omitted: this.state.peek().omitted + Number(JSON.parse(data).count) });
      },
      onConnected: (isConnected) => {
        this.#change({ connection: isConnected ? 'live' : 'broken' });
        // Listing after the stream has begun means that no request is missed; some are in both.
        if (isConnected) void this.#list();
      },
      onRefused: (error) => this.#change({ error }),
    });
  }

  end(): void {
    this.#ending.abort();
    clearTimeout(this.#timer);
  }

  pause(): void {
    this.#draw();
    this.#ring.pause();
    this.#change({ isPaused: true });
  }

  resume(): void {
    this.#ring.resume();
    this.#change({ isPaused: false, ...this.#ring.shown() });
  }

  async #list(): Promise<void> {
    if (this.#isListed) return;
    this.#isListed = true;
    try {
      const query = { ...this.#filters, limit: maxShown };
      const { signal } = this.#ending;
      const { data } = await acrossSessions(() => get<LogPage>('/logs', { query, signal }), signal);
      this.#arrived.push(...data);
      this.#draw();
    } catch (thrown) {
      if (!this.#ending.signal.aborted) this.#change({ error: asApiError(thrown) });
    }
  }

  #take(record: LogRecord): void {
    this.#arrived.push(record);
    // A page in the background renders rarely, so records that it could not show anyway are dropped.
    if (this.#arrived.length > 10 * maxShown) this.#arrived = this.#arrived.slice(-2 * maxShown);
    this.#timer ??= setTimeout(() => this.#draw(), drawMs);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ring.add(this.#arrived);
    this.#arrived = [];
    this.#change(this.#ring.shown());
  }

  #change(changes: Partial<LiveState>): void {
    if (!this.#ending.signal.aborted) this.state.value = { ...this.state.peek(), ...changes };
  }
}
