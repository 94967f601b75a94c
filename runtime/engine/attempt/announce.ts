import type { AttemptStart } from '../../../plugins/sdk/hooks/attempt-start.ts';
import { headerValue, type RawHeaders, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { calledModel } from '../call/requested-model-and-stream.ts';
import { observeEvent } from '../plugins/observe.ts';

/** Returns the request of an attempt, with the headers that plugins add when they are notified of it. */
export type Announce = (call: LeafCall, request: UpstreamRequest) => UpstreamRequest;

class Announced implements AttemptStart {
  readonly path: AttemptStart['path'];
  readonly target: string;
  readonly attempt: number;
  readonly provider: string;
  readonly listedAs: string;
  readonly origin: string;
  /** The headers of the request, followed by those that were added. */
  headers: RawHeaders;
  readonly #call: LeafCall;

  constructor(target: string, call: LeafCall, request: UpstreamRequest) {
    this.path = call.leaf.path;
    this.target = target;
    this.attempt = call.attempts;
    const { id, listedAs = id } = call.target.provider;
    this.provider = id;
    this.listedAs = listedAs;
    this.origin = request.origin;
    this.headers = request.headers;
    this.#call = call;
  }

  get model(): string | undefined {
    return calledModel(this.#call);
  }

  addHeader(name: string, value: string): void {
    // Spreading the list would grow it item by item, which takes three times the memory.
    if (headerValue(this.headers, name.toLowerCase()) === undefined) this.headers = this.headers.concat([name, value]);
  }
}

/** Notifies plugins of every attempt that is about to be sent. Without taps, returns the request unchanged. */
export const linkAnnounce = (target: string, { hooks }: LinkContext): Announce => {
  if (!hooks.attempting.isUsed()) return (_call, request) => request;
  return (call, request) => {
    const start = new Announced(target, call, request);
    observeEvent(hooks, hooks.attempting, start, call.originalExchange);
    return start.headers === request.headers ? request : { ...request, headers: start.headers };
  };
};
