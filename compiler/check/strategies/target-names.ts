import { childPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import type { IrGroup, IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** The names that conditions and the default of a group use. */
const namesSaid = ({ mode, conditions, default: otherwise }: IrGroup): readonly string[] =>
  mode === 'conditional' ? [...conditions.map(({ then }) => then), otherwise].flatMap((each) => each?.value ?? []) : [];

/**
 * Checks that each name has one target: two targets that share a name are called by their places, and the name appears nowhere.
 */
export const targetNames: Check = defineCheck({
  name: 'target-names',
  create: ({ reporter }) => {
    const byName = new Map<string, IrNode[]>();
    /** Names that are ambiguous in a condition, which is an error of its own. */
    const ambiguous = new Set<string>();
    return {
      leaf(node) {
        const { name = '' } = node.config;
        if (name !== '') byName.set(name, [...(byName.get(name) ?? []), node]);
      },
      group(_node, group) {
        for (const said of namesSaid(group))
          if (group.targets.filter(({ config: { name } }) => name === said).length > 1) ambiguous.add(said);
      },
      end() {
        for (const [name, [first, ...others]] of byName) {
          if (first === undefined || ambiguous.has(name)) continue;
          for (const { pointer } of others) {
            const place = { pointer: childPointer(pointer, 'name'), part: 'value' } as const;
            reporter.report('repeated-name', place, { name, other: toOptionPath(first.pointer) });
          }
        }
      },
    };
  },
});
