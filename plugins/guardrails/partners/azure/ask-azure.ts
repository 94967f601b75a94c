import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';

/** The parameters of all Azure checks. */
export interface AzureParameters {
  readonly credentials: { readonly apiKey: string; readonly resourceName?: string };
  readonly baseUrl?: string;
  readonly apiVersion: string;
}

export type AskAzure = (path: string, body: JsonObject, cancellation: Cancellation) => Promise<AnswerReader>;

/** Sends requests to a resource of Azure AI services: https://learn.microsoft.com/azure/ai-services/authentication */
export const askAzure = (
  vendor: string,
  { credentials: { apiKey, resourceName }, baseUrl, apiVersion }: AzureParameters,
  { http }: CheckServices,
): AskAzure => {
  const origin = baseUrl ?? `https://${resourceName}.cognitiveservices.azure.com`;
  return (path, body, cancellation) =>
    askPartner(http, {
      vendor,
      url: urlBelow(origin, `${path}?api-version=${apiVersion}`),
      headers: { 'ocp-apim-subscription-key': apiKey },
      body,
      cancellation,
    });
};
