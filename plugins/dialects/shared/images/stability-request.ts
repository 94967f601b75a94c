import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ImageRequest } from '../../../../schema/operations/image.ts';
import { defined } from '../json/defined.ts';
import { chooseRatio } from './choose-ratio.ts';
import { lostMembers } from './lost-members.ts';
import { passedMembers } from './passed-members.ts';

/** The ratios of Stability's models: https://platform.stability.ai/docs/api-reference#tag/Generate */
const ratios: readonly string[] = ['1:1', '2:3', '3:2', '4:5', '5:4', '9:16', '16:9', '9:21', '21:9'];

/** How a host of Stability's models differs from the others. */
export interface StabilityHost {
  readonly formats: ReadonlySet<string>;
  /** Members of the client's body that have the same name there. */
  readonly passes?: readonly string[];
  /** Absent if the path alone names the model. */
  readonly model?: string | undefined;
}

/** Returns the request for one image from Stability's models, on whichever host. */
export const stabilityRequest = (
  request: ImageRequest,
  { formats, passes = [], model }: StabilityHost,
): { readonly body: JsonObject; readonly lost: readonly string[] } => {
  const { prompt, negativePrompt, seed, format } = request;
  const { ratio, lost } = chooseRatio(request, ratios);
  const isKnown = format !== undefined && formats.has(format);
  return {
    body: defined({
      prompt,
      model,
      negative_prompt: negativePrompt,
      aspect_ratio: ratio,
      output_format: isKnown ? format : undefined,
      seed,
      ...passedMembers(request, passes),
    }) as JsonObject,
    lost: [
      ...lost,
      ...lostMembers(request, {
        accepts: ['size', 'aspectRatio', 'seed', 'negativePrompt', ...(isKnown ? (['format'] as const) : [])],
        max: 1,
        returns: 'base64',
        forwards: passes,
      }),
    ],
  };
};
