import type { RawHeaders } from '../http/http.ts';
import { type FoundModels, type NamedModel, noModels } from './named-models.ts';

/** Client headers, in lower case, that choose a model if they are forwarded. */
export const modelHeaders: ReadonlySet<string> = new Set([
  // One of the deployments of an endpoint: https://learn.microsoft.com/azure/machine-learning/how-to-deploy-online-endpoints
  'azureml-model-deployment',
]);

/** Returns the models that the headers of a request name. */
export const headerModels = ({ headers }: { readonly headers: RawHeaders }): FoundModels => {
  const called: NamedModel[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? '';
    if (modelHeaders.has(name)) called.push({ model: headers[at + 1]?.trim() ?? '', place: `in the header ${name}` });
  }
  return called.length === 0 ? noModels : { called, further: [] };
};
