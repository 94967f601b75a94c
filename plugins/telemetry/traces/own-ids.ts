import type { IdGenerator } from '@opentelemetry/sdk-trace';

const traceId = /^(?!0{32})[0-9a-f]{32}$/;

/** Gives a new trace the id that the gateway's answer has in `x-gw-trace-id`, where it is one of a trace. */
export class OwnIds implements IdGenerator {
  /** The id of the request whose trace is begun. */
  next: string | undefined;
  readonly #random: IdGenerator;

  constructor(random: IdGenerator) {
    this.#random = random;
  }

  generateTraceId(): string {
    return this.next !== undefined && traceId.test(this.next) ? this.next : this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#random.generateSpanId();
  }
}
