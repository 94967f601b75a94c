import type { Clock } from '../../sdk/clock.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { MirrorArm, MirrorReport } from '../../sdk/hooks/mirror-report.ts';
import { newId } from '../kernel/store/new-id.ts';
import { storableRow } from '../kernel/store/rows/storable.ts';
import type { LogRow } from './writer/log-store.ts';
import { RowWriter, type RowWriterOptions } from './writer/row-writer.ts';

type ArmRow = LogRow<'log_arms'>;

/** The maximum length of a stored name, in characters. */
const longestText = 200;

const shortened = (text: string): string => text.slice(0, longestText);

/** Writes the two arms of each copied request in the background, so that no request waits for it. */
export class ArmWriter extends RowWriter<ArmRow> {
  readonly #clock: Clock;

  constructor(options: Omit<RowWriterOptions<ArmRow>, 'insert'>) {
    super({
      ...options,
      insert: (log, rows) => log.write((writing) => writing.insertInto('log_arms').values(rows).execute()),
    });
    this.#clock = options.clock;
  }

  /** Takes a report whose copy was sent. The exchange is that of the copy. */
  take({ path, primary, mirror }: MirrorReport, { principal: { workspace }, plan }: Exchange): void {
    if (primary === undefined || mirror === undefined || workspace === undefined) return;
    if (!this.hasRoom(2)) return;
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
    this.add(row('primary', primary), row('mirror', mirror));
  }
}
