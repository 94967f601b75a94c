import type { AnswerFormat, ReasoningRequest } from '../../../schema/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import type { Member } from '../wire/member.ts';
import { readClaudeThinking, specialThinking } from '../wire/read-claude-thinking.ts';
import type { ModelFamily } from './model-family.ts';

/** What a conversation can express of a model's own fields, and what it cannot. */
export interface DecodedFields {
  readonly topK?: number;
  readonly reasoning?: ReasoningRequest;
  readonly user?: string;
  readonly answerFormat?: AnswerFormat;
  readonly rest?: JsonObject;
}

type Path = readonly string[];

const at = (wire: Member, path: Path): Member => path.reduce((member, name) => member.at(name), wire);

/** The object without the member at a path, and without objects that are empty then. */
const without = (object: JsonObject, [name = '', ...path]: Path): JsonObject => {
  const { [name]: value, ...others } = object;
  if (path.length === 0 || !isJsonObject(value)) return others;
  const rest = without(value, path);
  return Object.keys(rest).length === 0 ? others : { ...object, [name]: rest };
};

/** https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html */
const decodeNova = (config: Member): ReasoningRequest | undefined => {
  if (config.absent) return undefined;
  if (config.at('type').maybeText() === 'disabled') return { kind: 'off' };
  const effort = config.at('maxReasoningEffort').maybeText();
  return effort === undefined ? undefined : { kind: 'effort', effort };
};

const plainEffort = (effort: string | undefined): ReasoningRequest | undefined =>
  effort === undefined ? undefined : { kind: 'effort', effort };

interface Found {
  readonly reasoning?: ReasoningRequest | undefined;
  readonly paths: readonly Path[];
}

const decodeReasoning = (fields: Member, family: ModelFamily): Found => {
  switch (family.effort) {
    case 'thinking': {
      const reasoning = readClaudeThinking(fields);
      const isPlain = specialThinking(fields) === undefined;
      const effort: readonly Path[] = reasoning?.kind === 'effort' ? [['output_config', 'effort']] : [];
      return { reasoning, paths: [...effort, ...(isPlain ? [['thinking']] : [])] };
    }
    case 'reasoningConfig': {
      const reasoning = decodeNova(fields.at('reasoningConfig'));
      return { reasoning, paths: reasoning === undefined ? [] : [['reasoningConfig']] };
    }
    case 'reasoning_effort': {
      const reasoning = plainEffort(fields.at('reasoning_effort').maybeText());
      return { reasoning, paths: [['reasoning_effort']] };
    }
    default:
      return { paths: [] };
  }
};

const userPath: Path = ['metadata', 'user_id'];
const formatPath: Path = ['response_format'];

const isJsonMode = (format: Member): boolean => format.at('type').value === 'json_object';

/** Reads `additionalModelRequestFields`. */
export const decodeFields = (fields: Member, family: ModelFamily): DecodedFields => {
  const object = fields.maybeObject();
  if (object === undefined) return {};
  const { reasoning, paths } = decodeReasoning(fields, family);
  const json = family.json === true && isJsonMode(fields.at('response_format'));
  const expressed = [
    ...paths,
    ...(family.topK === undefined ? [] : [family.topK]),
    ...(family.isClaude ? [userPath] : []),
    ...(json ? [formatPath] : []),
  ];
  const rest = expressed.reduce(without, object);
  return defined({
    topK: family.topK === undefined ? undefined : at(fields, family.topK).maybeNumber(),
    reasoning,
    user: family.isClaude ? at(fields, userPath).maybeText() : undefined,
    answerFormat: json ? ({ kind: 'json' } as const) : undefined,
    rest: Object.keys(rest).length > 0 ? rest : undefined,
  });
};
