import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { plausibleUsage } from '../../../../schema/usage/plausible-usage.ts';
import { readCounts } from '../../../../schema/usage/read-counts.ts';
import { statedCounts } from '../../shared/answer/stated-counts.ts';
import { defined } from '../../shared/json/defined.ts';
import { decodeTrafficType, encodeTrafficType } from './traffic-type.ts';

const ofModality = (wire: JsonObject, lists: readonly string[], modality: string): number | undefined => {
  const counts = lists.flatMap((list) => toObjects(wire[list])).filter((item) => item.modality === modality);
  if (counts.length === 0) return undefined;
  return counts.reduce((sum, { tokenCount }) => sum + (findNumber(tokenCount) ?? 0), 0);
};

const inputs = ['promptTokensDetails', 'toolUsePromptTokensDetails'];
const outputs = ['candidatesTokensDetails'];

/**
 * https://ai.google.dev/api/generate-content#UsageMetadata: the prompt's count includes cached tokens; the answer's excludes
 * thoughts.
 */
const decodeUsage = (wire: JsonObject): Usage | undefined => {
  const reasoning = findNumber(wire.thoughtsTokenCount);
  const ofTools = findNumber(wire.toolUsePromptTokenCount) ?? 0;
  const all = findNumber(wire.totalTokenCount);
  // Counts of 0 are omitted, except for the total.
  const counts = readCounts({
    input: findNumber(wire.promptTokenCount),
    output: findNumber(wire.candidatesTokenCount),
    total: all === undefined ? undefined : all - ofTools - (reasoning ?? 0),
  });
  if (counts === undefined) return undefined;
  return plausibleUsage(
    defined({
      ...counts,
      input: counts.input + ofTools,
      output: counts.output + (reasoning ?? 0),
      cacheRead: findNumber(wire.cachedContentTokenCount),
      reasoning,
      inputAudio: ofModality(wire, inputs, 'AUDIO'),
      inputImage: ofModality(wire, inputs, 'IMAGE'),
      outputAudio: ofModality(wire, outputs, 'AUDIO'),
      outputImage: ofModality(wire, outputs, 'IMAGE'),
      tier: decodeTrafficType(findText(wire.trafficType)),
      raw: { gemini: wire },
    }),
  );
};

/** Returns the token counts of an answer or of a frame. On Vertex AI, the first frames have a `usageMetadata` without counts. */
export const findUsage = ({ usageMetadata }: JsonObject): Usage | undefined => {
  const wire = findObject(usageMetadata);
  return wire === undefined ? undefined : decodeUsage(wire);
};

const details = (counts: readonly (readonly [string, number | undefined])[]): readonly JsonObject[] | undefined => {
  const known = counts.flatMap(([modality, tokenCount]) =>
    tokenCount === undefined ? [] : [{ modality, tokenCount }],
  );
  return known.length > 0 ? known : undefined;
};

export const encodeUsage = (usage: Usage): JsonObject => {
  const { cacheRead, reasoning, inputAudio, inputImage, outputAudio, outputImage, tier } = usage;
  const { input, output, total } = statedCounts(usage);
  return defined({
    promptTokenCount: input,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
    thoughtsTokenCount: reasoning,
    totalTokenCount: total,
    promptTokensDetails: details([
      ['AUDIO', inputAudio],
      ['IMAGE', inputImage],
    ]),
    candidatesTokensDetails: details([
      ['AUDIO', outputAudio],
      ['IMAGE', outputImage],
    ]),
    trafficType: encodeTrafficType(tier),
  }) as JsonObject;
};
