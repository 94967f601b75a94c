import type { Clock } from '../../sdk/clock.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { MirrorArm, MirrorReport } from '../../sdk/hooks/mirror-report.ts';
import { newId } from '../kernel/store/new-id.ts';
import { storableRow } from '../kernel/store/rows/storable.ts';
import type { LogRow, LogStore } from './writer/log-store.ts';

type ArmRow = LogRow<'log_arms'>;

/** The longest name that is kept, in characters. */
const longestText = 200;
/** How long a row waits for others, and after a failure, in milliseconds. */
const gatherMs = 250;
const retryMs = 1000;
const rowsAtOnce = 200;

const shortened = (text: string): string => text.slice(0, longestText);

export interface ArmWriterOptions {
  /** Throws where the log is not open. */
  readonly store: () => LogStore;
  readonly clock: Clock;
  /** The most rows that wait; what is beyond that is not kept. */
  readonly maxWaiting?: number;
}

/** Writes the two sides of each request that was copied, behind the requests: nobody waits for it. */
export class ArmWriter {
  readonly #options: Required<ArmWriterOptions>;
  #waiting: ArmRow[] = [];
  #isDue = false;
  #writing: Promise<void> | undefined;

  constructor(options: ArmWriterOptions) {
    this.#options = { maxWaiting: 5000, ...options };
  }

  /** Takes a report whose copy was sent. The exchange is that of the copy. */
  take({ path, primary, mirror }: MirrorReport, { principal: { workspace }, plan }: Exchange): void {
    if (primary === undefined || mirror === undefined || workspace === undefined) return;
    if (this.#waiting.length + 2 > this.#options.maxWaiting) return;
    const at = this.#options.clock.wall();
    const config = plan?.routing.name ?? '';
    const row = (arm: string, { traceId, target, provider, model, status, ms, nanoUsd, verdict }: MirrorArm): ArmRow =>
      storableRow<ArmRow>(
        {
          ...{ id: newId(at), workspace_id: workspace, created_at: at, arm, status },
          ...{ config: shortened(config), path: shortened(path), target: shortened(target) },
          ...{ provider: shortened(provider), model: shortened(model), trace_id: traceId.slice(0, 255) },
          micros: Math.round(ms * 1000),
          cost: nanoUsd ?? null,
          verdict: verdict ?? null,
        },
        [],
      );
    this.#waiting.push(row('primary', primary), row('mirror', mirror));
    this.#schedule(gatherMs);
  }

  /** Writes what waits, if that can be written now. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #schedule(ms: number): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#options.clock.after(ms, () => {
      this.#isDue = false;
      this.#writing = this.#write();
    });
  }

  async #write(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const some = rows.slice(at, at + rowsAtOnce);
      try {
        await this.#options.store().write((writing) => writing.insertInto('log_arms').values(some).execute());
      } catch {
        // That the log cannot be written is reported by the writer of records.
        this.#waiting = [...rows.slice(at), ...this.#waiting];
        this.#schedule(retryMs);
        return;
      }
    }
  }
}
