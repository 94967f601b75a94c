import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import { refusal } from '../wire/refusal.ts';

/** What the path of a request specifies. */
export interface GeminiPath {
  readonly model: string;
  readonly isStream: boolean;
  /** Whether the stream consists of server-sent events instead of one JSON array. */
  readonly isSse: boolean;
  readonly isVertex: boolean;
}

const operation =
  /^(?:\/v1(?:beta|alpha)?\/(?:models|tunedModels)|(\/v1(?:beta1)?\/projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/models))\/([^/:?]+):(generateContent|streamGenerateContent)(?:\?(.*))?$/;

/** https://ai.google.dev/api/generate-content, and the same below a project's location in Vertex AI. */
export const geminiPath = ({ path }: ReceivedRequest): GeminiPath => {
  const [matched, place, model = '', verb, query] = operation.exec(path) ?? [];
  if (matched === undefined) throw refusal(path, 'is not the path of a model.');
  return {
    model: decodeURIComponent(model),
    isStream: verb === 'streamGenerateContent',
    isSse: new URLSearchParams(query).get('alt') === 'sse',
    isVertex: place !== undefined,
  };
};
