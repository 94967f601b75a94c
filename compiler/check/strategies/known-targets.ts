import { childPointer } from '../../../schema/json/pointer.ts';
import { closest, guessValue, suggestion } from '../../diagnostics/closest.ts';
import type { IrGroup, Placed } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const meant = (name: string, names: readonly string[]): string =>
  names.length === 0
    ? 'No target here has a name; give the intended one a "name".'
    : suggestion(name, names, 'Targets here');

/** Checks that `then` and `default` each name exactly one target of their group. */
export const knownTargets: Check = defineCheck({
  name: 'known-targets',
  create: ({ reporter, sound }) => ({
    group({ pointer }, { mode, targets, conditions, default: otherwise }: IrGroup) {
      if (mode !== 'conditional' || targets.length === 0) return;
      // A target whose name cannot be read may be the one that is meant.
      if (targets.some((target) => sound.isUnusable(childPointer(target.pointer, 'name')))) return;
      if (sound.isUnusable(childPointer(pointer, 'targets'))) return;
      const names = targets.flatMap(({ config }) => config.name ?? []);
      const counts = new Map<string, number>();
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      const look = (who: string, { value: name, pointer: at }: Placed<string>): void => {
        const count = counts.get(name) ?? 0;
        if (count === 1) return;
        const place = { pointer: at, part: 'value' } as const;
        if (count > 1) {
          reporter.report('ambiguous-target', place, { who, name, count });
          return;
        }
        const fix = guessValue(at, closest(name, names));
        reporter.report('unknown-target', { ...place, fix }, { who, name, suggestion: meant(name, names) });
      };
      for (const { then } of conditions) if (then !== undefined) look('This condition', then);
      if (otherwise !== undefined) look('"default"', otherwise);
    },
  }),
});
