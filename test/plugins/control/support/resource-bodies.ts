import type { Resource } from '../../../../plugins/control/kernel/resource/define-resource.ts';
import type { Member } from '../../../../plugins/control/kernel/resource/member.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';

/** Texts of which one fits each member that is a text. */
const texts = ['n', '#00ff00'] as const;

/** Values of members that are not texts, and of other members of bodies that are shown as they were sent, by the path of their resource. Each number gives another one. */
const values: Readonly<Record<string, (at: number) => JsonObject>> = {
  '/integrations': () => ({ provider: 'echo' }),
  '/providers': (at) => ({ provider: 'echo', expires_at: 4_000_000_000 + at }),
  '/virtual-keys': (at) => ({ provider: 'echo', expires_at: 4_000_000_000 + at }),
  '/virtual-models': () => ({ target: '@echo/m' }),
  '/guardrails': (at) => ({ checks: [{ id: 'contains', parameters: { words: [`word-${at}`], operator: 'none' } }] }),
};

const sampleText = (name: string, { schema: { pattern = '', minLength = 0 } }: Member, at: number): string => {
  const fits = texts.find((text) => text.length >= minLength && new RegExp(pattern, 'u').test(text));
  if (fits === undefined) throw new Error(`No sample text fits the member "${name}": add one to resource-bodies.ts.`);
  return fits === 'n' ? `n${at}` : fits;
};

/** A body that makes a record of a resource; each number gives another one. */
export const toNewBody = ({ members, path }: Pick<Resource, 'members' | 'path'>, at = 0): JsonObject => {
  const own = values[path]?.(at) ?? {};
  const sample = (name: string, member: Member): Json | undefined => {
    const value = own[name] ?? member.initial;
    if (value === undefined && member.schema.type === 'string') return sampleText(name, member, at);
    if (value === undefined)
      throw new Error(`Nothing says what the member "${name}" of ${path} can be: add it to resource-bodies.ts.`);
    return value;
  };
  const sampled = Object.entries(members).map(([name, member]) => [name, sample(name, member) ?? null]);
  return { ...own, ...Object.fromEntries(sampled) };
};

/** A body that changes all of a record that can change. */
export const toChangeBody = (resource: Pick<Resource, 'members' | 'path'>, at: number): JsonObject =>
  Object.fromEntries(
    Object.entries(toNewBody(resource, at)).filter(([name]) => resource.members[name]?.presence !== 'fixed'),
  );
