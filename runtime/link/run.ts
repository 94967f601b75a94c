import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { JsonPointer } from '../../schema/pointer.ts';

/** One request's way through one plan. */
export class Run {
  readonly exchange: Exchange;
  /** What the circuits of the leaves said when they were first looked at. */
  #availability: Map<JsonPointer, boolean> | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** Nothing more may be sent: the client left, or its body was a stream that has been read. */
  get ended(): boolean {
    const { request, cancellation } = this.exchange;
    if (cancellation.cancelled) return true;
    return request.body.kind === 'stream' && (request.body.stream.readableDidRead || request.body.stream.destroyed);
  }

  /** A leaf's availability, looked up once: a circuit that changes on the way does not change the choices of this run. */
  availability(leaf: JsonPointer, look: (run: Run) => boolean): boolean {
    this.#availability ??= new Map();
    const seen = this.#availability.get(leaf);
    if (seen !== undefined) return seen;
    const available = look(this);
    this.#availability.set(leaf, available);
    return available;
  }
}
