import type { Loss } from '../../../sdk/dialect/dialect.ts';

/** The parts of a conversation that could not be expressed, by path: `sampling.seed`, `turns[1].parts[0].cache`. */
export type Lost = string[];

/** Records a loss, and returns undefined in place of the lost value. */
export const recordLoss = (path: string, lost: Lost): undefined => {
  lost.push(path);
};

/** Records the loss of each named member that is present. Without a path, they are members of the conversation itself. */
export const recordLosses = <Name extends string>(
  value: { readonly [Member in NoInfer<Name>]?: unknown },
  names: readonly Name[],
  { path, lost }: { readonly path?: string; readonly lost: Lost },
): void => {
  for (const name of names) if (value[name] !== undefined) lost.push(path === undefined ? name : `${path}.${name}`);
};

/** Lists the losses of a format, from the reason for each affected member of the conversation or the answer. */
export const listLosses = (reasons: { readonly [member: string]: string }): readonly Loss[] =>
  Object.entries(reasons).map(([member, why]) => ({ member, why }));
