import {
  list,
  type Member,
  type Members,
  map,
  object,
  structural,
  text,
  value,
} from '../../shared/checked-texts/members.ts';

const found: Members = { type: structural, action: structural, detected: structural };

const filters = object({
  filters: list(
    object({ ...found, confidence: structural, filterStrength: structural, threshold: structural, score: structural }),
  ),
});

const coverage = object({ guarded: structural, total: structural });

const metrics = object({
  guardrailProcessingLatency: structural,
  usage: object({
    topicPolicyUnits: structural,
    contentPolicyUnits: structural,
    wordPolicyUnits: structural,
    sensitiveInformationPolicyUnits: structural,
    sensitiveInformationPolicyFreeUnits: structural,
    contextualGroundingPolicyUnits: structural,
    contentPolicyImageUnits: structural,
    automatedReasoningPolicyUnits: structural,
    automatedReasoningPolicies: structural,
  }),
  guardrailCoverage: object({ textCharacters: coverage, images: coverage }),
});

const applied = object({
  guardrailId: structural,
  guardrailVersion: structural,
  guardrailArn: structural,
  guardrailOrigin: list(structural),
  guardrailOwnership: structural,
});

/** The members of a policy's assessment, which quotes the text in which it found something. */
const assessment = object({
  topicPolicy: object({ topics: list(object({ name: text(), ...found })) }),
  contentPolicy: filters,
  wordPolicy: object({
    customWords: list(object({ match: text(), ...found })),
    managedWordLists: list(object({ match: text(), ...found })),
  }),
  sensitiveInformationPolicy: object({
    piiEntities: list(object({ match: text(), ...found })),
    regexes: list(object({ name: text(), match: text(), regex: text(), ...found })),
  }),
  contextualGroundingPolicy: filters,
  automatedReasoningPolicy: object({ findings: list(value()) }),
  invocationMetrics: metrics,
  appliedGuardrailDetails: applied,
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseTrace.html */
export const trace: Member = object(
  {
    guardrail: object({
      modelOutput: list(text()),
      inputAssessment: map(assessment),
      outputAssessments: map(list(assessment)),
      actionReason: text(),
    }),
    promptRouter: object({ invokedModelId: structural }),
  },
  'other',
);
