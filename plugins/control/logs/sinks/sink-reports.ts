import type { Clock } from '../../../sdk/clock.ts';
import { lostRecords, type SinkStatus } from '../../../sdk/control-plane/store-status.ts';

export interface SinkReportsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly say: (text: string) => void;
  readonly status: () => readonly SinkStatus[];
}

const everyMs = 60_000;

/** The last report on a sink. */
interface Said {
  readonly at: number;
  readonly failing: string | undefined;
  readonly lost: number;
}

const nothing: Said = { at: Number.NEGATIVE_INFINITY, failing: undefined, lost: 0 };

/** Reports to the operator when the state of a sink has changed, at most one line a minute for each. */
export class SinkReports {
  readonly #options: SinkReportsOptions;
  readonly #said = new Map<string, Said>();

  constructor(options: SinkReportsOptions) {
    this.#options = options;
  }

  look(): void {
    const now = this.#options.clock.monotonic();
    for (const sink of this.#options.status()) {
      const said = this.#said.get(sink.name) ?? nothing;
      if (now - said.at >= everyMs) this.#say(sink, said, now);
    }
  }

  /** Reports the remaining changes when the process ends. */
  end(): void {
    const now = this.#options.clock.monotonic();
    for (const sink of this.#options.status()) this.#say({ ...sink }, this.#said.get(sink.name) ?? nothing, now);
  }

  #say(sink: SinkStatus, said: Said, now: number): void {
    const { name, failing, waiting, dropped, refused, expired } = sink;
    const lost = lostRecords(sink);
    if (failing === said.failing && lost === said.lost) return;
    this.#said.set(name, { at: now, failing, lost });
    const state =
      failing === undefined
        ? said.failing === undefined
          ? ''
          : ' It accepts records again.'
        : ` It fails: ${failing}`;
    const counts =
      lost === said.lost
        ? ` Waiting records: ${waiting}.`
        : ` Lost records: ${lost - said.lost} (in total ${dropped} dropped, ${refused} refused, ${expired} given up).`;
    this.#options.say(`gw: The sink "${name}" of the log:${state}${counts}\n`);
  }
}
