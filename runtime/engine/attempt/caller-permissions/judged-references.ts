import type { ReferringRequest } from '../../../../plugins/sdk/control-plane/reference-guard.ts';
import type { Target } from '../../../../schema/plan/plan.ts';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { isCallersTarget } from '../../target/is-callers-target.ts';
import { upstreamDialect } from '../../target/upstream-dialect.ts';

type Build = (call: LeafCall) => OutgoingCall | Promise<OutgoingCall>;

/**
 * Whether others can have things in the account that a target calls: its credential is not the caller's own, or it has none, so
 * that the server answers everybody alike.
 */
const isShared = (target: Target, names: LinkContext['names']): boolean =>
  target.credential === null || !isCallersTarget(target, names);

const findDialect = ({ translation }: OutgoingCall): string | undefined =>
  translation && upstreamDialect(translation).id;

const referring = ({ slug }: LeafCall, outgoing: OutgoingCall): ReferringRequest => ({
  request: outgoing.request,
  dialect: findDialect(outgoing),
  slug,
});

const after = async (asked: Promise<void>, outgoing: OutgoingCall): Promise<OutgoingCall> => {
  await asked;
  return outgoing;
};

/** Returns a builder whose requests name nothing that another tenant has in the account that they are sent to. */
export const withCheckedReferences = (
  build: Build,
  target: Target,
  { references, names }: Pick<LinkContext, 'references' | 'names'>,
): Build => {
  if (references === undefined || !isShared(target, names)) return build;
  const checkReferences = (call: LeafCall, outgoing: OutgoingCall): MaybePromise<OutgoingCall> => {
    // A request that is not sent cannot reach anybody's things.
    if (outgoing.estimated !== undefined) return outgoing;
    const asked = references.check(referring(call, outgoing), call.originalExchange);
    return asked === undefined ? outgoing : after(asked, outgoing);
  };
  const checkLater = async (call: LeafCall, built: Promise<OutgoingCall>): Promise<OutgoingCall> =>
    checkReferences(call, await built);
  return (call) => {
    const built = build(call);
    return built instanceof Promise ? checkLater(call, built) : checkReferences(call, built);
  };
};
