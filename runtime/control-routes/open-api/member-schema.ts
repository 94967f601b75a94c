import type { Member, Members } from '../../../plugins/sdk/dialect/members.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';

const orNull = (type: string): JsonObject => ({ type: [type, 'null'] });

/** Members that have this type in every dialect that has them. */
const scalars: Readonly<Record<string, JsonObject>> = {
  model: { type: 'string' },
  object: { type: 'string' },
  type: { type: 'string' },
  role: { type: 'string' },
  stream: orNull('boolean'),
  temperature: orNull('number'),
  top_p: orNull('number'),
  ...Object.fromEntries(
    ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n', 'index'].map((name) => [name, orNull('integer')]),
  ),
};

/** Tables may be recursive. A deeper description would not help anybody. */
const maxDepth = 4;

/**
 * Some APIs accept `thinking_config` for `thinkingConfig`. Only one of both is described, because generated clients have one
 * name.
 */
const spelledOnce = (members: Members): readonly (readonly [string, Member])[] => {
  const seen = new Set<string>();
  return Object.entries(members).filter(([name]) => {
    const plain = name.replaceAll('_', '').toLowerCase();
    return !seen.has(plain) && seen.add(plain);
  });
};

const membersSchema = (members: Members, depth: number): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    spelledOnce(members).map(([name, member]): [string, Json] => [name, namedSchema(name, member, depth)]),
  ),
  // Providers have members of their own, and refuse those of a request themselves.
  additionalProperties: true,
});

const namedSchema = (name: string, member: Member, depth: number): JsonObject =>
  member.is === 'structural' ? (scalars[name] ?? {}) : memberSchema(member, depth);

/**
 * Returns the schema of a member, as far as the tables that checks use to read bodies define it: names, lists and texts. A member
 * with one of several forms is any object, and what the tables do not define is anything.
 */
export const memberSchema = (member: Member, depth = 0): JsonObject => {
  switch (member.is) {
    case 'object':
      return depth < maxDepth
        ? membersSchema(member.members, depth + 1)
        : { type: 'object', additionalProperties: true };
    case 'list':
    case 'choices':
      return { type: 'array', items: memberSchema(member.item, depth) };
    case 'map':
      return { type: 'object', additionalProperties: memberSchema(member.member, depth) };
    case 'before':
    case 'again':
    case 'untold':
      return memberSchema(member.member, depth);
    case 'text':
      return orNull('string');
    case 'variants':
      return { type: 'object', additionalProperties: true };
    default:
      return {};
  }
};
