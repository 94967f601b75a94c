import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { fitStops } from '../../shared/request/fit-stops.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { withoutDropped } from '../../shared/request/without-dropped.ts';
import { findGeneration } from './model-generation.ts';
import { decodeReasoning, encodeReasoning } from './reasoning.ts';

/** The API accepts five stop sequences. */
const maxStops = 5;

/** Models before Gemini 3 answer 400, "Function calling with a response mime type: 'application/json' is unsupported". */
const excludesFormats = ({ model, tools }: Conversation): boolean =>
  (findGeneration(model) ?? 3) < 3 && tools.some(({ kind }) => kind !== 'other');

const encodeFormat = (conversation: Conversation, lost: Lost): JsonObject => {
  const { answerFormat: format } = conversation;
  if (format !== undefined && format.kind !== 'text' && excludesFormats(conversation)) {
    lost.push('answerFormat');
    return {};
  }
  switch (format?.kind) {
    case undefined:
      return {};
    case 'text':
      return { responseMimeType: 'text/plain' };
    case 'json':
      return { responseMimeType: 'application/json' };
    case 'schema':
      recordLosses(format, ['name', 'strict', 'description'], { path: 'answerFormat', lost });
      return { responseMimeType: 'application/json', responseJsonSchema: format.schema };
  }
};

const thinkingConfig = ({ reasoning, model }: Conversation, lost: Lost): JsonObject | undefined => {
  if (reasoning === undefined) return undefined;
  const config = encodeReasoning(reasoning, model);
  const thinking = config === undefined ? undefined : decodeReasoning(new Member('gemini', '', config));
  if (JSON.stringify(thinking) !== JSON.stringify(reasoning)) lost.push('reasoning');
  return config;
};

/** Models since 2.5 answer 400, "Penalty is not enabled for this model", if a penalty is set. */
const encodePenalties = ({ model, sampling }: Conversation, lost: Lost): JsonObject => {
  const isRefused = (findGeneration(model) ?? 0) >= 2.5;
  const penalties = (['presencePenalty', 'frequencyPenalty'] as const).flatMap((name): readonly [string, number][] => {
    const penalty = sampling[name];
    if (penalty === undefined) return [];
    if (!isRefused || penalty === 0) return [[name, penalty]];
    lost.push(`sampling.${name}`);
    return [];
  });
  return Object.fromEntries(penalties);
};

/** Merges the client's own fields, which take precedence, including those inside `thinkingConfig`. */
const withOwn = (config: JsonObject, own: JsonObject): JsonObject => {
  const { thinkingConfig: ours } = config;
  const { thinkingConfig: theirs } = own;
  const merged = isJsonObject(ours) && isJsonObject(theirs) ? { thinkingConfig: { ...ours, ...theirs } } : {};
  return { ...config, ...own, ...merged };
};

/** https://ai.google.dev/api/generate-content#generationconfig. Returns undefined if it would be empty. */
export const encodeGenerationConfig = (
  conversation: Conversation,
  own: JsonObject,
  { drop, lost }: { readonly drop: ReadonlySet<string>; readonly lost: Lost },
): JsonObject | undefined => {
  const { sampling, logprobs, modalities } = conversation;
  const config = defined({
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    maxOutputTokens: sampling.maxTokens,
    stopSequences: fitStops(sampling.stop, maxStops, lost),
    candidateCount: sampling.count,
    seed: sampling.seed,
    ...encodePenalties(conversation, lost),
    ...encodeFormat(conversation, lost),
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs?.top,
    responseModalities: modalities?.map((modality) => modality.toUpperCase()),
    thinkingConfig: thinkingConfig(conversation, lost),
  }) as JsonObject;
  const { kept, dropped } = withoutDropped(withOwn(config, own), drop);
  append(
    lost,
    dropped.map((name) => `generationConfig.${name}`),
  );
  return Object.keys(kept).length > 0 ? keepSources(kept, sampling) : undefined;
};
