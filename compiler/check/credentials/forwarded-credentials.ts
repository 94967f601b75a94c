import { childPointer } from '../../../schema/json/pointer.ts';
import { forwardsCredential } from '../../resolve/providers/forwards-credential.ts';
import { hasCredential } from '../../resolve/providers/source-facts.ts';
import { type LeafNode, leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { describePlace } from '../../schema-errors/words.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Returns what the client's credential is for if the target has no credential of its own. */
const findPurpose = ({ node, leaf: { source } }: LeafNode): string | undefined =>
  source.kind !== 'inline' || hasCredential(node, source)
    ? undefined
    : `${source.name} ${node.settings.custom_host?.value ?? ''}`;

/** Whether all targets call one provider at one host, so that the client's credential is meant for all of them. */
const isOnePurpose = (targets: readonly LeafNode[]): boolean => {
  const [first, ...others] = targets.map(findPurpose);
  return first !== undefined && others.every((purpose) => purpose === first);
};

/** Checks that a client's own credential goes only to the provider that it is for, and does not replace a configured one. */
export const forwardedCredentials: Check = defineCheck({
  name: 'forwarded-credentials',
  create: ({ reporter, sound }) => ({
    node(node) {
      const { forward_headers: headers } = node.own;
      const header = forwardsCredential(node.own, sound);
      if (headers === undefined || header === undefined) return;
      const at = { pointer: childPointer(headers.pointer, headers.value.indexOf(header)), part: 'value' } as const;
      // Excludes the targets that state their own headers.
      const reached = leavesBelow(node).filter(
        ({ node: { settings } }) => settings.forward_headers?.pointer === headers.pointer,
      );
      const [first] = reached;
      if (reached.length > 1 && !isOnePurpose(reached))
        reporter.report('forwarded-credential', at, { header, count: reached.length });
      else if (
        header.toLowerCase() === 'authorization' &&
        first !== undefined &&
        hasCredential(first.node, first.leaf.source)
      ) {
        const { pointer } = first.node;
        const what = pointer === '' ? 'the config' : describePlace(pointer).replace(/^I/, 'i');
        reporter.report('replaced-credential', at, { what });
      }
    },
  }),
});
