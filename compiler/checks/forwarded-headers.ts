import { childPointer, type JsonPointer } from '../../schema/pointer.ts';
import { forwardable } from '../ir/forwardable.ts';
import { forwardsCredential } from '../ir/forwards-credential.ts';
import type { IrNode } from '../ir/ir-node.ts';
import { credentialFields } from '../ir/provider-fields.ts';
import { type Check, defineCheck } from './define-check.ts';

/** The targets that get the headers a group states: not those that state their own. */
const reachedBy = (node: IrNode, pointer: JsonPointer): readonly IrNode[] => {
  if (node.settings.forward_headers?.pointer !== pointer) return [];
  if (node.shape.kind === 'leaf') return [node];
  return node.shape.targets.flatMap((target) => reachedBy(target, pointer));
};

/** What a client's credential is for, where a target has none of its own. */
const purposeOf = ({ shape, config, settings }: IrNode): string | undefined => {
  if (shape.kind !== 'leaf' || shape.source.kind !== 'inline') return undefined;
  if (credentialFields.some((field) => config[field] !== undefined)) return undefined;
  return `${shape.source.name} ${settings.custom_host?.value ?? ''}`;
};

/** Targets of one provider at one host, which all take the client's credential as theirs. */
const isOnePurpose = (targets: readonly IrNode[]): boolean => {
  const [first, ...others] = targets.map(purposeOf);
  return first !== undefined && others.every((purpose) => purpose === first);
};

/** Headers that are to be forwarded are ones that may be, and a client's credential goes to whom it is for. */
export const forwardedHeaders: Check = defineCheck({
  name: 'forwarded-headers',
  create: ({ reporter, sound }) => ({
    node({ own: { forward_headers: headers } }) {
      if (headers === undefined) return;
      for (const { value: header, pointer } of sound.items(headers.value, headers.pointer))
        if (!forwardable(header)) reporter.report('header-not-forwarded', { pointer, part: 'value' }, { header });
    },
    group(node) {
      const { forward_headers: headers } = node.own;
      const header = forwardsCredential(node.own);
      if (headers === undefined || header === undefined) return;
      const reached = reachedBy(node, headers.pointer);
      if (reached.length < 2 || isOnePurpose(reached)) return;
      const pointer = childPointer(headers.pointer, headers.value.indexOf(header));
      reporter.report('forwarded-credential', { pointer, part: 'value' }, { header, count: reached.length });
    },
  }),
});
