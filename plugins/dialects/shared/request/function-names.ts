import { createHash } from 'node:crypto';
import type { Conversation, Part, Tool } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { AnswerEdit } from '../../../sdk/dialect/answer-edit.ts';
import type { Adopted } from '../../../sdk/dialect/dialect.ts';

/** Rules for the function names that a service accepts. */
export interface NameRule {
  readonly accepted: RegExp;
  /** Matches every character that a name must not contain. */
  readonly refused: RegExp;
  readonly longest: number;
}

/** Accepts letters, digits, `_` and `-`. */
export const plainNames = (longest: number): NameRule => ({
  accepted: new RegExp(`^[\\w-]{1,${longest}}$`),
  refused: /[^\w-]/g,
  longest,
});

const hashLength = 8;

/** Returns the accepted form of a name. It is the same in every request, so that each turn has the prefix of the one before. */
const acceptedName = (name: string, { refused, longest }: NameRule): string => {
  const written = name.replaceAll(refused, '_');
  const begun = /^[a-zA-Z_]/.test(written) ? written : `_${written}`;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${begun.slice(0, longest - hashLength - 1)}_${hash}`;
};

/** The names as they are sent, and the original of each changed name. */
class SentNames {
  readonly #rule: NameRule;
  readonly originals = new Map<string, string>();

  constructor(rule: NameRule) {
    this.#rule = rule;
  }

  of(name: string): string {
    if (this.#rule.accepted.test(name)) return name;
    const sent = acceptedName(name, this.#rule);
    this.originals.set(sent, name);
    return sent;
  }
}

const renamedTool = (tool: Tool, names: SentNames): Tool =>
  tool.kind === 'other' ? tool : { ...tool, name: names.of(tool.name) };

const renamedPart = (part: Part, names: SentNames): Part => {
  if (part.kind === 'tool-call') return { ...part, name: names.of(part.name) };
  return part.kind === 'tool-result' && part.name !== undefined ? { ...part, name: names.of(part.name) } : part;
};

const renamed = ({ tools, toolChoice, turns, ...rest }: Conversation, names: SentNames): Conversation => ({
  ...rest,
  tools: tools.map((tool) => renamedTool(tool, names)),
  ...(toolChoice === undefined
    ? {}
    : {
        toolChoice: {
          ...toolChoice,
          ...(toolChoice.name === undefined ? {} : { name: names.of(toolChoice.name) }),
          ...(toolChoice.allowed === undefined ? {} : { allowed: toolChoice.allowed.map((name) => names.of(name)) }),
        },
      }),
  turns: turns.map((turn) => ({ ...turn, parts: turn.parts.map((part) => renamedPart(part, names)) })),
});

const withOriginals = (value: Json, originals: ReadonlyMap<string, string>): Json => {
  if (Array.isArray(value)) return value.map((item) => withOriginals(item, originals));
  return isJsonObject(value) ? restored(value, originals) : value;
};

/** Returns a body with the original names. In every dialect, the member `name` contains the name of a called function. */
const restored = (body: JsonObject, originals: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([member, value]): [string, Json] => [
      member,
      member === 'name' && typeof value === 'string'
        ? (originals.get(value) ?? value)
        : withOriginals(value, originals),
    ]),
  );

const restoring = (originals: ReadonlyMap<string, string>): AnswerEdit => {
  const restore = (body: JsonObject): JsonObject => restored(body, originals);
  return { marks: [...originals.keys()].map((name) => `"${name}"`), whole: restore, stream: () => restore };
};

/** Changes the names of functions to those that a service accepts. Answers get the client's names again, so nothing is lost. */
export const withAcceptedNames = (conversation: Conversation, rule: NameRule): Adopted => {
  const names = new SentNames(rule);
  const sent = renamed(conversation, names);
  return names.originals.size === 0 ? { conversation } : { conversation: sent, answers: restoring(names.originals) };
};
