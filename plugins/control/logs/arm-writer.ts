import type { Clock } from '../../sdk/clock.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { MirrorArm, MirrorReport } from '../../sdk/hooks/mirror-report.ts';
import { newId } from '../kernel/store/new-id.ts';
import { storableRow } from '../kernel/store/rows/storable.ts';
import type { LogRow, LogStore } from './writer/log-store.ts';
import { RowWriter } from './writer/row-writer.ts';

type ArmRow = LogRow<'log_arms'>;

/** The maximum length of a stored name, in characters. */
const longestText = 200;

const shortened = (text: string): string => text.slice(0, longestText);

export interface ArmWriterOptions {
  /** Throws if the log is not open. */
  readonly store: () => LogStore;
  readonly clock: Clock;
  /** The maximum number of waiting rows; further ones are dropped. */
  readonly maxWaiting?: number;
}

/** Writes the two arms of each copied request in the background, so that no request waits for it. */
export class ArmWriter {
  readonly #clock: Clock;
  readonly #rows: RowWriter<ArmRow>;

  constructor({ store, clock, maxWaiting = 5000 }: ArmWriterOptions) {
    this.#clock = clock;
    this.#rows = new RowWriter<ArmRow>({
      ...{ store, clock, maxWaiting },
      insert: (log, rows) => log.write((writing) => writing.insertInto('log_arms').values(rows).execute()),
    });
  }

  /** Takes a report whose copy was sent. The exchange is that of the copy. */
  take({ path, primary, mirror }: MirrorReport, { principal: { workspace }, plan }: Exchange): void {
    if (primary === undefined || mirror === undefined || workspace === undefined) return;
    if (!this.#rows.hasRoom(2)) return;
    const at = this.#clock.wall();
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
    this.#rows.add(row('primary', primary), row('mirror', mirror));
  }

  /** Writes the waiting rows, if that is possible now. */
  flush(): Promise<void> {
    return this.#rows.flush();
  }
}
