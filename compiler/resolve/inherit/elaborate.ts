import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { inheritedRows } from '../tree/inheritance.ts';
import type { IrNode, Placed, Settings } from '../tree/ir-node.ts';

const isStatedObject = (setting: Placed<unknown>): setting is Placed<JsonObject> => isJsonObject(setting.value);

const combine = (
  rule: 'merge' | 'replace',
  inherited: Placed<unknown> | undefined,
  own: Placed<unknown> | undefined,
): Placed<unknown> | undefined => {
  if (inherited === undefined || own === undefined) return own ?? inherited;
  return rule === 'merge' && isStatedObject(inherited) && isStatedObject(own)
    ? { value: { ...inherited.value, ...own.value }, pointer: own.pointer }
    : own;
};

/** Combines a config's own settings with those that it inherits. */
const inherit = (inherited: Settings, own: Settings): Settings => {
  const combined = inheritedRows.map(
    ({ field, rule }) => [field, combine(rule, inherited[field], own[field])] as const,
  );
  // Each field is one of the two it was built from, or both merged, and has the field's own type.
  return Object.fromEntries(combined.filter(([, setting]) => setting !== undefined)) as Settings;
};

/**
 * Returns the settings around a mirror that its copies have: the parameters and the time-out. Hosts and headers belong to a
 * provider.
 */
const copied = ({ override_params, request_timeout }: Settings): Settings => ({
  ...(override_params === undefined ? {} : { override_params }),
  ...(request_timeout === undefined ? {} : { request_timeout }),
});

const elaborateMirror = ({ mirror }: IrNode, settings: Settings): Pick<IrNode, 'mirror'> =>
  mirror === undefined ? {} : { mirror: { ...mirror, target: elaborate(mirror.target, copied(settings)) } };

/** Returns the same tree with the inherited settings written out at each node. */
export const elaborate = (node: IrNode, inherited: Settings = {}): IrNode => {
  const settings = inherit(inherited, node.own);
  const mirror = elaborateMirror(node, settings);
  if (node.shape.kind === 'leaf') return { ...node, settings, ...mirror };
  const targets = node.shape.targets.map((target) => elaborate(target, settings));
  return { ...node, settings, shape: { ...node.shape, targets }, ...mirror };
};
