import { childPointer } from '../../../schema/json/pointer.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** The settings beside `cb_config`, each with a verb that describes what it does to circuits. */
const settings = { breaker: 'divides', probe: 'closes' } as const;

type Name = keyof typeof settings;

/** Whether a leaf has circuits to which a node's setting applies. */
const applies = (name: Name, { shape, settings: held }: IrNode, stated: IrNode): boolean =>
  shape.kind === 'leaf'
    ? held.cb_config !== undefined && held[name]?.pointer === stated.own[name]?.pointer
    : shape.targets.some((target) => applies(name, target, stated));

const ofCopy = (name: Name): { readonly why: string; readonly suggestion: string } => ({
  why: 'the target of a mirror has no circuit',
  suggestion: `Remove "${name}".`,
});

/** Checks that there are circuits if a config states what divides or closes them. */
export const circuitSettings: Check = defineCheck({
  name: 'circuit-settings',
  create: ({ reporter }) => ({
    node(node) {
      for (const name of ['breaker', 'probe'] as const)
        if (node.own[name] !== undefined && !applies(name, node, node)) {
          const place = { pointer: childPointer(node.pointer, name), part: 'key' } as const;
          // A mirror's target cannot have a "cb_config" either.
          if (node.isCopy) reporter.report('no-effect', place, { setting: name, ...ofCopy(name) });
          else reporter.report('no-circuits', place, { setting: name, does: settings[name] });
        }
    },
  }),
});
