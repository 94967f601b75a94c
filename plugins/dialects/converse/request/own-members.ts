import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { type OwnMembers, topLevelMember } from '../../shared/request/own-members.ts';
import { modelFamily } from './model-family.ts';

/** Returns Claude's betas, which are one text when sent as a header. */
const toBetas = (value: Json): Json =>
  typeof value === 'string' ? value.split(',').map((beta) => beta.trim()) : value;

const claudeField =
  (name: string, write: (value: Json) => Json) =>
  (value: Json, model: string | undefined): JsonObject | undefined =>
    modelFamily(model).isClaude ? { additionalModelRequestFields: { [name]: write(value) } } : undefined;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const ownMembers: OwnMembers = new Map([
  topLevelMember('additionalModelRequestFields'),
  topLevelMember('additionalModelResponseFieldPaths'),
  topLevelMember('guardrailConfig'),
  topLevelMember('performanceConfig'),
  // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
  ['anthropic_beta', claudeField('anthropic_beta', toBetas)],
  ['anthropic_version', claudeField('anthropic_version', (value) => value)],
]);
