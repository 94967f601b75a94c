import type { RawHeaders } from '../../../../plugins/sdk/http/http.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';

/** Returns the lines of a request, with those of one key replaced by those of another. */
const withLinesOf = (lines: RawHeaders, from: PreparedTarget, to: PreparedTarget): RawHeaders => {
  const changed = [...lines];
  for (let at = 0; at < lines.length; at += 2)
    for (let own = 0; own < from.headers.length; own += 2) {
      const [name, value] = [to.headers[own], to.headers[own + 1]];
      if (lines[at] !== from.headers[own] || lines[at + 1] !== from.headers[own + 1]) continue;
      if (name !== undefined && value !== undefined) changed.splice(at, 2, name, value);
    }
  return changed;
};

/** Whether a request that was built for one key differs for another only in the lines that contain the key. */
const differsInLines = ({ outgoing }: LeafCall, from: PreparedTarget, to: PreparedTarget): boolean =>
  from.headers.length === to.headers.length &&
  // Values that one account has bound are not sent to another. Texts in parts have no bound values.
  (to.pool?.keys.areSeveral !== true || outgoing?.split !== undefined);

/** Calls the target with another of its keys from now on. */
export const useKey = (call: LeafCall, to: PreparedTarget): void => {
  const { target: from, outgoing } = call;
  call.key = to.pool?.key;
  if (from === to) return;
  call.target = to;
  if (outgoing === undefined) return;
  call.outgoing = differsInLines(call, from, to)
    ? { ...outgoing, request: { ...outgoing.request, headers: withLinesOf(outgoing.request.headers, from, to) } }
    : undefined;
};
