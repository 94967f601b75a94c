import { childPointer } from '../../../schema/json/pointer.ts';
import { forwardsCredential } from '../../resolve/providers/forwards-credential.ts';
import { hasCredential } from '../../resolve/providers/source-facts.ts';
import { type LeafNode, leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { describePlace } from '../../validate/words.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Names the purpose of a client's credential where a target has none of its own. */
const findPurpose = ({ node, leaf: { source } }: LeafNode): string | undefined =>
  source.kind !== 'inline' || hasCredential(node, source)
    ? undefined
    : `${source.name} ${node.settings.custom_host?.value ?? ''}`;

/** Targets of one provider at one host, which all take the client's credential as theirs. */
const isOnePurpose = (targets: readonly LeafNode[]): boolean => {
  const [first, ...others] = targets.map(findPurpose);
  return first !== undefined && others.every((purpose) => purpose === first);
};

/** A client's own credential goes only to the provider that it is for, and does not replace a configured one. */
export const forwardedCredentials: Check = defineCheck({
  name: 'forwarded-credentials',
  create: ({ reporter, sound }) => ({
    node(node) {
      const { forward_headers: headers } = node.own;
      const header = forwardsCredential(node.own, sound);
      if (headers === undefined || header === undefined) return;
      const at = { pointer: childPointer(headers.pointer, headers.value.indexOf(header)), part: 'value' } as const;
      // Not the targets that state their own headers.
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
