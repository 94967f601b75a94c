import { gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { StoredPrompt } from '../../../../sdk/control-plane/stored-prompt.ts';
import type { FoundPrompt } from './prompts-of.ts';
import { renderForBody } from './render-for-body.ts';

/** A client's body without what the prompt takes the place of. */
const withoutReplaced = ({ kind }: FoundPrompt, body: JsonObject): JsonObject => {
  const { [kind === 'chat' ? 'messages' : 'prompt']: _replaced, ...rest } = body;
  return rest;
};

/** A prompt as the data path sends it. `reference` is what a config calls it. */
export const toStoredPrompt = (reference: string, prompt: FoundPrompt): StoredPrompt => {
  const { slug, versionId, virtualKey, kind, bytes } = prompt;
  return {
    ...{ slug, versionId, virtualKey, kind, bytes },
    fill: (body) => {
      const { data, fault } = renderForBody(prompt, withoutReplaced(prompt, body));
      if (fault === undefined) return data;
      const { pointer, message: reason, hint: suggestion } = fault;
      throw gatewayError('unrendered-prompt', { prompt: reference, pointer, reason, suggestion });
    },
  };
};
