import type { AnswerFormat, Conversation, Sampling } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { field, spellings } from '../parts/field.ts';
import { toJsonSchema } from './json-schema.ts';
import { decodeReasoning, specialReasoning } from './reasoning.ts';

const decodeSampling = (config: Member): Sampling => {
  const stop = field(config, 'stopSequences').maybeItems();
  return keepSources(
    defined({
      maxTokens: field(config, 'maxOutputTokens').maybeNumber(),
      temperature: config.at('temperature').maybeNumber(),
      topP: field(config, 'topP').maybeNumber(),
      topK: field(config, 'topK').maybeNumber(),
      stop: stop.length > 0 ? stop.map((item) => item.text()) : undefined,
      seed: config.at('seed').maybeNumber(),
      presencePenalty: field(config, 'presencePenalty').numberUnless(0),
      frequencyPenalty: field(config, 'frequencyPenalty').numberUnless(0),
      count: field(config, 'candidateCount').numberUnless(1),
    }),
    config.maybeObject() ?? {},
  );
};

const findSchema = (config: Member): JsonObject | undefined => {
  const openApi = field(config, 'responseSchema').maybeObject();
  return (
    field(config, 'responseJsonSchema').maybeObject() ??
    config.at('_responseJsonSchema').maybeObject() ??
    (openApi && toJsonSchema(openApi))
  );
};

const plainTypes: ReadonlySet<unknown> = new Set([undefined, 'text/plain', 'application/json']);

/** Whether the type is a special one, such as `text/x.enum`, which is carried unchanged with its schema. */
const hasSpecialType = (config: Member): boolean => !plainTypes.has(field(config, 'responseMimeType').maybeText());

const decodeFormat = (config: Member): AnswerFormat | undefined => {
  if (hasSpecialType(config)) return undefined;
  const schema = findSchema(config);
  if (schema !== undefined) return { kind: 'schema', schema };
  switch (field(config, 'responseMimeType').maybeText()) {
    case 'application/json':
      return { kind: 'json' };
    case 'text/plain':
      return { kind: 'text' };
    default:
      return undefined;
  }
};

const decodeLogprobs = (config: Member): Conversation['logprobs'] =>
  field(config, 'responseLogprobs').maybeBoolean() === true
    ? defined({ top: config.at('logprobs').maybeNumber() })
    : undefined;

const decodeModalities = (config: Member): readonly string[] | undefined => {
  const modalities = field(config, 'responseModalities').maybeItems();
  return modalities.length > 0 ? modalities.map((item) => item.text().toLowerCase()) : undefined;
};

type FromConfig = 'sampling' | 'answerFormat' | 'reasoning' | 'logprobs' | 'modalities';

/** https://ai.google.dev/api/generate-content#generationconfig */
export const decodeGenerationConfig = (config: Member): { sampling: Sampling } & Pick<Conversation, FromConfig> => {
  config.maybeObject();
  return defined({
    sampling: decodeSampling(config),
    answerFormat: decodeFormat(config),
    reasoning: decodeReasoning(field(config, 'thinkingConfig')),
    logprobs: decodeLogprobs(config),
    modalities: decodeModalities(config),
  });
};

const known = [
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'stopSequences',
  'candidateCount',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'responseModalities',
  'thinkingConfig',
];
const ofFormat = ['responseMimeType', 'responseSchema', 'responseJsonSchema', '_responseJsonSchema'];

/** Returns the members of `generationConfig` that a conversation cannot express. */
export const specialGenerationConfig = (config: Member): JsonObject | undefined => {
  const names = [
    ...known,
    ...(hasSpecialType(config) ? [] : ofFormat),
    ...(decodeLogprobs(config) === undefined ? [] : ['logprobs']),
  ];
  const rest = omit(config.maybeObject() ?? {}, spellings(names));
  const thinking = specialReasoning(field(config, 'thinkingConfig'));
  return thinking === undefined ? rest : { ...rest, thinkingConfig: thinking };
};
