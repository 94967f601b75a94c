import type { ToolChoice } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import type { Lost } from '../../shared/request/lost.ts';
import { field, spellings } from '../parts/field.ts';

const findNames = (config: Member): readonly string[] | undefined => {
  const names = field(config, 'allowedFunctionNames')
    .maybeItems()
    .map((name) => name.text());
  return names.length > 0 ? names : undefined;
};

/** Decodes `functionCallingConfig`: https://ai.google.dev/api/caching#FunctionCallingConfig */
export const decodeToolChoice = (config: Member): ToolChoice | undefined => {
  const mode = config.at('mode').maybeText()?.toUpperCase();
  const allowed = findNames(config);
  switch (mode) {
    case undefined:
    case 'MODE_UNSPECIFIED':
      return undefined;
    case 'AUTO':
    case 'VALIDATED':
      return defined({ mode: 'auto' as const, allowed });
    case 'NONE':
      return { mode: 'none' };
    case 'ANY': {
      const [name, ...more] = allowed ?? [];
      if (name !== undefined && more.length === 0) return { mode: 'tool', name };
      return defined({ mode: 'required' as const, allowed });
    }
    default:
      return config.at('mode').fail('must be "AUTO", "ANY", "NONE" or "VALIDATED"');
  }
};

const known = spellings(['mode', 'allowedFunctionNames']);
const config = spellings(['functionCallingConfig']);

/** Returns the members of `toolConfig` that a conversation cannot express. */
export const specialToolConfig = (toolConfig: Member): JsonObject | undefined => {
  const calling = field(toolConfig, 'functionCallingConfig');
  const isValidated = calling.at('mode').value === 'VALIDATED' && findNames(calling) === undefined;
  const special = {
    ...omit(calling.maybeObject() ?? {}, known),
    ...(isValidated ? { mode: 'VALIDATED' } : {}),
  };
  const rest = omit(toolConfig.maybeObject() ?? {}, config);
  if (Object.keys(special).length === 0) return rest;
  return { ...rest, functionCallingConfig: special };
};

/** Returns the mode of a choice. Only `VALIDATED` lets the model choose between some of the functions and text. */
const toMode = ({ mode, allowed }: ToolChoice): string => {
  switch (mode) {
    case 'auto':
      return allowed === undefined || allowed.length === 0 ? 'AUTO' : 'VALIDATED';
    case 'none':
      return 'NONE';
    default:
      return 'ANY';
  }
};

export const encodeToolChoice = (choice: ToolChoice, lost: Lost): JsonObject => {
  const { mode, name, allowed, parallel } = choice;
  if (parallel !== undefined) lost.push('toolChoice.parallel');
  if (mode === 'tool') return { mode: toMode(choice), allowedFunctionNames: [name ?? ''] };
  const isSaid = allowed !== undefined && allowed.length > 0 && mode !== 'none';
  // When read back, a requirement with one name is the choice of that tool.
  if (allowed !== undefined && (!isSaid || (mode === 'required' && allowed.length === 1)))
    lost.push('toolChoice.allowed');
  return { mode: toMode(choice), ...(isSaid ? { allowedFunctionNames: allowed } : {}) };
};

/** Returns the choice among functions only, or undefined if the choice was only among tools of Google. */
export const withFunctionsOnly = (
  choice: ToolChoice,
  google: ReadonlySet<string>,
  lost: Lost,
): ToolChoice | undefined => {
  const { mode, name, allowed } = choice;
  const kept = allowed?.filter((each) => !google.has(each));
  if ((mode === 'tool' && google.has(name ?? '')) || (kept?.length === 0 && allowed?.length !== 0)) {
    lost.push('toolChoice');
    return undefined;
  }
  if (kept === undefined || kept.length === allowed?.length) return choice;
  lost.push('toolChoice.allowed');
  return { ...choice, allowed: kept };
};
