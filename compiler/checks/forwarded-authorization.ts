import { childPointer, type JsonPointer } from '../../schema/pointer.ts';
import type { IrNode } from '../ir/ir-node.ts';
import { leavesBelow } from '../ir/leaves-below.ts';
import { hasCredential, providerOf } from '../ir/source-facts.ts';
import { placeWords } from '../validate/words.ts';
import { type Check, defineCheck } from './define-check.ts';

const placeOf = ({ own: { forward_headers: headers } }: IrNode): JsonPointer | undefined => {
  const index = headers?.value.findIndex((name) => name.toLowerCase() === 'authorization') ?? -1;
  return headers === undefined || index < 0 ? undefined : childPointer(headers.pointer, index);
};

/** A caller's own credential goes to one provider only, and does not replace a configured one. */
export const forwardedAuthorization: Check = defineCheck({
  name: 'forwarded-authorization',
  create: ({ reporter }) => ({
    node(node) {
      const pointer = placeOf(node);
      if (pointer === undefined) return;
      const leaves = leavesBelow(node).filter(
        ({ node: { settings } }) => settings.forward_headers === node.settings.forward_headers,
      );
      const replaced = leaves.find(({ node: each, leaf }) => hasCredential(each, leaf.source));
      if (replaced !== undefined) {
        const what = replaced.node.pointer === '' ? 'the config' : placeWords(replaced.node.pointer).replace(/^I/, 'i');
        reporter.report('replaced-credential', { pointer, part: 'value' }, { what });
      }
      const providers = [...new Set(leaves.flatMap(({ leaf }) => providerOf(leaf.source)?.id ?? []))];
      if (providers.length > 1)
        reporter.report('shared-authorization', { pointer, part: 'value' }, { providers: providers.join(', ') });
    },
  }),
});
