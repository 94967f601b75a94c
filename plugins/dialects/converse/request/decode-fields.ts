import type { AnswerFormat, ReasoningRequest } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { readClaudeThinking, specialThinking } from '../../shared/claude/read-claude-thinking.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';

/** The parts of a model's own fields that a conversation can express, and the remaining fields. */
export interface DecodedFields {
  readonly topK?: number;
  readonly reasoning?: ReasoningRequest;
  readonly user?: string;
  readonly answerFormat?: AnswerFormat;
  readonly rest?: JsonObject;
}

type Path = readonly string[];

const at = (wire: Member, path: Path): Member => path.reduce((member, name) => member.at(name), wire);

/** Returns the object without the member at a path, and without objects that become empty. */
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

/** The paths of an effort for OpenAI's models. */
const effortPaths: readonly Path[] = [['reasoning_effort'], ['reasoning', 'effort']];

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html: Claude's and Mistral's path, Nova's, and Cohere's.
 */
const topKPaths: readonly Path[] = [['top_k'], ['inferenceConfig', 'topK'], ['k']];

const userPath: Path = ['metadata', 'user_id'];
const schemaPath: Path = ['output_config', 'format'];

interface Found {
  readonly reasoning?: ReasoningRequest;
  readonly answerFormat?: AnswerFormat;
  readonly paths: readonly Path[];
}

/** Reads how each vendor's models are asked to reason, and where that is in the fields. */
const decodeReasoning = (fields: Member): Pick<Found, 'reasoning' | 'paths'> => {
  const claude = readClaudeThinking(fields);
  if (claude !== undefined) {
    const isPlain = specialThinking(fields) === undefined;
    const effort: readonly Path[] = claude.kind === 'effort' ? [['output_config', 'effort']] : [];
    return { reasoning: claude, paths: [...effort, ...(isPlain ? [['thinking']] : [])] };
  }
  const nova = decodeNova(fields.at('reasoningConfig'));
  if (nova !== undefined) return { reasoning: nova, paths: [['reasoningConfig']] };
  for (const path of effortPaths) {
    const effort = at(fields, path).maybeText();
    if (effort !== undefined) return { reasoning: { kind: 'effort', effort }, paths: [path] };
  }
  return { paths: [] };
};

/** Claude can be asked for JSON with a schema, and OpenAI's models for any JSON. */
const decodeFormat = (fields: Member): Pick<Found, 'answerFormat' | 'paths'> => {
  const own = at(fields, schemaPath);
  if (own.at('type').value === 'json_schema')
    return { answerFormat: { kind: 'schema', schema: own.at('schema').object() }, paths: [schemaPath] };
  return fields.at('response_format').at('type').value === 'json_object'
    ? { answerFormat: { kind: 'json' }, paths: [['response_format']] }
    : { paths: [] };
};

/**
 * Reads `additionalModelRequestFields` by the names of the fields and not by the model, because a config may name another model
 * than the one that the client wrote them for.
 */
export const decodeFields = (fields: Member): DecodedFields => {
  const object = fields.maybeObject();
  if (object === undefined) return {};
  const { reasoning, paths } = decodeReasoning(fields);
  const { answerFormat, paths: formatPaths } = decodeFormat(fields);
  const topK = topKPaths.find((path) => !at(fields, path).absent);
  const expressed = [...paths, ...formatPaths, ...(topK === undefined ? [] : [topK]), userPath];
  const rest = expressed.reduce(without, object);
  return defined({
    topK: topK === undefined ? undefined : at(fields, topK).maybeNumber(),
    reasoning,
    user: at(fields, userPath).maybeText(),
    answerFormat,
    rest: Object.keys(rest).length > 0 ? rest : undefined,
  });
};
