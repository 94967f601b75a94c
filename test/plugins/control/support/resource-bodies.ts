import type { Resource } from '../../../../plugins/control/kernel/resource/define-resource.ts';
import type { Member } from '../../../../plugins/control/kernel/resource/member.ts';

/** Texts of which one fits each member that there is. */
const texts = ['n', '#00ff00'] as const;

const sampleText = (name: string, { schema: { pattern = '', minLength = 0 } }: Member, at: number): string => {
  const fits = texts.find((text) => text.length >= minLength && new RegExp(pattern, 'u').test(text));
  if (fits === undefined) throw new Error(`No sample text fits the member "${name}": add one to resource-bodies.ts.`);
  return fits === 'n' ? `n${at}` : fits;
};

/** A body that makes a record of a resource; each number gives other names. */
export const newBodyOf = ({ members }: Pick<Resource, 'members'>, at = 0): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, sampleText(name, member, at)]));

/** A body that changes all of a record that can change. */
export const changeBodyOf = ({ members }: Pick<Resource, 'members'>, at: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(newBodyOf({ members }, at)).filter(([name]) => members[name]?.presence !== 'fixed'),
  );
