import {
  choices,
  echo,
  list,
  type Member,
  object,
  structural,
  text,
  unreported,
} from '../../shared/checked-texts/members.ts';
import { content, type Mark } from './parts.ts';
import { citationMetadata, groundingMetadata } from './sources.ts';
import { camelCase } from './spelling.ts';

const safetyRatings = list(
  object({
    category: structural,
    probability: structural,
    probabilityScore: structural,
    severity: structural,
    severityScore: structural,
    blocked: structural,
    overwrittenThreshold: structural,
  }),
);

const details = list(object({ modality: structural, tokenCount: structural }));

const usage = object({
  promptTokenCount: structural,
  initialPromptTokenCount: structural,
  candidatesTokenCount: structural,
  thoughtsTokenCount: structural,
  toolUsePromptTokenCount: structural,
  cachedContentTokenCount: structural,
  totalTokenCount: structural,
  promptTokensDetails: details,
  candidatesTokensDetails: details,
  toolUsePromptTokensDetails: details,
  cacheTokensDetails: details,
  trafficType: structural,
  serviceTier: structural,
});

const candidate = (mark: Mark): Member =>
  object({
    groundingMetadata: groundingMetadata(mark),
    citationMetadata: citationMetadata(mark),
    content: content(camelCase, mark),
    // It quotes a malformed call that the model wrote.
    finishMessage: text(),
    finishReason: structural,
    index: structural,
    tokenCount: structural,
    avgLogprobs: structural,
    logprobsResult: echo,
    safetyRatings,
    urlContextMetadata: object({
      urlMetadata: list(object({ retrievedUrl: structural, urlRetrievalStatus: structural })),
    }),
    continuationToken: structural,
  });

const response = (mark: Mark): Member =>
  object({
    candidates: choices(candidate(mark)),
    promptFeedback: object({ blockReasonMessage: mark(text()), blockReason: structural, safetyRatings }),
    usageMetadata: usage,
    modelVersion: structural,
    responseId: structural,
    createTime: structural,
    modelStatus: object({ message: mark(text('other')), modelStage: structural, retirementTime: structural }),
  });

/** https://ai.google.dev/api/generate-content#generatecontentresponse */
export const answer: Member = response((member) => member);

/** Each frame of a stream is an answer of its own. */
export const frame: Member = response(unreported);
