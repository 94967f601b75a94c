import type { JsonObject } from '../../../schema/json/json.ts';
import {
  flaggedWord,
  isFlagged,
  misfits,
  type PartnerAnswer,
  type PartnerCall,
  type PartnerStub,
  partnerKey,
  personalAt,
  personalData,
} from './partner-stub.ts';

const refused = (status: number, code: string): PartnerAnswer => ({
  status,
  body: { error: { code, message: `What was sent is not valid: ${flaggedWord}` } },
});

const ok = (body: JsonObject): PartnerAnswer => ({ status: 200, body });

const characters = (text: string): number => [...text].length;

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/analyze-text */
const analyze = (body: JsonObject): PartnerAnswer => {
  const wrong = misfits(body, {
    text: 'text',
    categories: 'list?',
    blocklistNames: 'list?',
    haltOnBlocklistHit: 'flag?',
    outputType: 'text?',
  });
  if (wrong.length > 0 || characters(String(body.text)) > 10_000) return refused(400, 'InvalidRequestBody');
  const severity = isFlagged(String(body.text)) ? 4 : 0;
  const categories = Array.isArray(body.categories) ? body.categories : [];
  return ok({
    blocklistsMatch: [],
    categoriesAnalysis: categories.map((category) => ({ category, severity: category === 'Violence' ? severity : 0 })),
  });
};

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/shield-prompt */
const shield = (body: JsonObject): PartnerAnswer => {
  if (misfits(body, { userPrompt: 'text?', documents: 'list?' }).length > 0) return refused(400, 'InvalidRequestBody');
  const documents = (Array.isArray(body.documents) ? body.documents : []).map(String);
  return ok({
    userPromptAnalysis: { attackDetected: isFlagged(String(body.userPrompt ?? '')) },
    documentsAnalysis: documents.map((text) => ({ attackDetected: isFlagged(text) })),
  });
};

/** https://learn.microsoft.com/rest/api/contentsafety/text-operations/detect-text-protected-material */
const material = (body: JsonObject): PartnerAnswer => {
  if (misfits(body, { text: 'text' }).length > 0 || characters(String(body.text)) > 1000)
    return refused(400, 'InvalidRequestBody');
  return ok({ protectedMaterialAnalysis: { detected: isFlagged(String(body.text)) } });
};

/** https://learn.microsoft.com/rest/api/language/text-analysis-runtime/analyze-text */
const language = (body: JsonObject): PartnerAnswer => {
  if (misfits(body, { kind: 'text', parameters: 'object', analysisInput: 'object' }).length > 0)
    return refused(400, 'InvalidRequest');
  const { parameters, analysisInput } = body as { readonly [name: string]: JsonObject };
  const documents = (analysisInput?.documents ?? []) as readonly JsonObject[];
  const isTooMuch = documents.length > 5 || documents.some(({ text }) => characters(String(text)) > 5120);
  if (body.kind !== 'PiiEntityRecognition' || isTooMuch) return refused(400, 'InvalidRequest');
  if (parameters?.stringIndexType !== 'Utf16CodeUnit') return refused(400, 'InvalidParameterValue');
  return ok({
    kind: 'PiiEntityRecognitionResults',
    results: {
      documents: documents.map(({ id, text }) => ({
        id: id ?? null,
        redactedText: String(text).replaceAll(personalData, '*'.repeat(personalData.length)),
        entities: personalAt(String(text)).map((offset) => ({
          text: personalData,
          category: 'Email',
          offset,
          length: personalData.length,
          confidenceScore: 0.8,
        })),
        warnings: [],
      })),
      errors: [],
      modelVersion: '2025-02-01',
    },
  });
};

const operations: { readonly [path: string]: (body: JsonObject) => PartnerAnswer } = {
  '/contentsafety/text:analyze?api-version=2024-09-01': analyze,
  '/contentsafety/text:shieldPrompt?api-version=2024-09-01': shield,
  '/contentsafety/text:detectProtectedMaterial?api-version=2024-09-01': material,
  '/language/:analyze-text?api-version=2024-11-01': language,
};

const answer = (call: PartnerCall): PartnerAnswer => {
  const operation = operations[call.path];
  if (call.method !== 'POST' || operation === undefined) return refused(404, 'NotFound');
  if (call.header('ocp-apim-subscription-key') !== partnerKey) return refused(401, 'PermissionDenied');
  if (call.header('content-type') !== 'application/json') return refused(415, 'UnsupportedMediaType');
  return operation(JSON.parse(call.text) as JsonObject);
};

const credentials = { apiKey: partnerKey, resourceName: 'contoso' };

/** Azure AI Content Safety and Azure AI Language. */
export const azureStub: PartnerStub = {
  vendor: 'azure',
  origins: ['https://contoso.cognitiveservices.azure.com'],
  checks: [
    { id: 'azure.contentSafety', parameters: { credentials }, finds: 'flagged' },
    { id: 'azure.pii', parameters: { credentials }, finds: 'personal' },
    { id: 'azure.protectedMaterial', parameters: { credentials }, finds: 'flagged' },
    { id: 'azure.shieldPrompt', parameters: { credentials }, finds: 'flagged' },
  ],
  answer,
};
