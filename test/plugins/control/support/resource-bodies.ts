import type { Resource } from '../../../../plugins/control/kernel/resource/define-resource.ts';
import type { Member } from '../../../../plugins/control/kernel/resource/member.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';

/** Sample texts. Each text member accepts at least one of them. */
const texts = ['n', '#00ff00'] as const;

/**
 * Values of members that are not texts, and of further members of bodies that are shown as they were sent, by the path of their
 * resource. Each number returns different values.
 */
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

/** Returns a body that creates a record of a resource, a different one for each number. */
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

/** Returns a body that changes every member of a record that can change. */
export const toChangeBody = (resource: Pick<Resource, 'members' | 'path'>, at: number): JsonObject =>
  Object.fromEntries(
    Object.entries(toNewBody(resource, at)).filter(([name]) => resource.members[name]?.presence !== 'fixed'),
  );
