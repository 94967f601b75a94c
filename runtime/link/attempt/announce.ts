import type { AttemptStart } from '../../../plugins/sdk/attempt-start.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http.ts';
import type { LinkContext } from '../context.ts';
import type { LeafCall } from '../leaf-call.ts';
import { observe } from '../observe.ts';
import { calledModel } from './unread-answer.ts';

/** The request of an attempt, with the headers that plugins add when they are told of it. */
export type Announce = (call: LeafCall, request: UpstreamRequest) => UpstreamRequest;

class Announced implements AttemptStart {
  readonly path: AttemptStart['path'];
  readonly target: string;
  readonly attempt: number;
  readonly provider: string;
  readonly origin: string;
  readonly added: string[] = [];
  readonly #call: LeafCall;
  readonly #request: UpstreamRequest;

  constructor(target: string, call: LeafCall, request: UpstreamRequest) {
    this.path = call.leaf.path;
    this.target = target;
    this.attempt = call.attempts;
    this.provider = call.target.provider.id;
    this.origin = request.origin;
    this.#call = call;
    this.#request = request;
  }

  get model(): string | undefined {
    return calledModel(this.#call);
  }

  addHeader(name: string, value: string): void {
    const lower = name.toLowerCase();
    if (headerValue(this.#request.headers, lower) === undefined && headerValue(this.added, lower) === undefined)
      this.added.push(name, value);
  }
}

/** Tells plugins of every attempt that is about to be sent; untapped, it gives the request back. */
export const linkAnnounce = (target: string, { hooks }: LinkContext): Announce => {
  if (!hooks.attempting.isUsed()) return (_call, request) => request;
  return (call, request) => {
    const start = new Announced(target, call, request);
    observe(hooks, call.told, () => hooks.attempting.call(start, call.told));
    return start.added.length === 0 ? request : { ...request, headers: [...request.headers, ...start.added] };
  };
};
