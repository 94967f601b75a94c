import type { Member, Members } from '../../../plugins/sdk/dialect/members.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';

const orNull = (type: string): JsonObject => ({ type: [type, 'null'] });

/** Members that every dialect which has them has with this type. */
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

/** Tables say what may be in something that may be in itself; a document that says it so deeply helps nobody. */
const maxDepth = 4;

/** Some APIs take `thinking_config` for `thinkingConfig`: one of both is described, since generated clients have one name. */
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
  // Providers have members of their own, and a request's are theirs to refuse.
  additionalProperties: true,
});

const namedSchema = (name: string, member: Member, depth: number): JsonObject =>
  member.is === 'structural' ? (scalars[name] ?? {}) : memberSchema(member, depth);

/**
 * The schema of a member as far as the tables that checks read bodies by say it: names, lists and texts. What has one of
 * several forms is any object, and what they do not say is anything.
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
