import type { AttemptStart } from '../../../plugins/sdk/attempt-start.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http.ts';
import type { LinkContext } from '../context.ts';
import type { LeafCall } from '../leaf-call.ts';
import { observe } from '../observe.ts';

/** The request of an attempt, with the headers that plugins add when they are told of it. */
export type Announce = (call: LeafCall, request: UpstreamRequest) => UpstreamRequest;

/** Tells plugins of every attempt that is about to be sent; untapped, it gives the request back. */
export const linkAnnounce = (target: string, { hooks }: LinkContext): Announce => {
  if (!hooks.attempting.isUsed()) return (_call, request) => request;
  return (call, request) => {
    const added: string[] = [];
    const start: AttemptStart = {
      path: call.leaf.path,
      target,
      attempt: call.attempts,
      provider: call.target.provider.id,
      origin: request.origin,
      model: call.outgoing?.model,
      addHeader: (name, value) => {
        const lower = name.toLowerCase();
        if (headerValue(request.headers, lower) === undefined && headerValue(added, lower) === undefined)
          added.push(name, value);
      },
    };
    observe(hooks, call.told, () => hooks.attempting.call(start, call.told));
    return added.length === 0 ? request : { ...request, headers: [...request.headers, ...added] };
  };
};
