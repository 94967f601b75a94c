import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import type { Heard } from '../../scenario.ts';
import { createHearing } from '../wire/hearing.ts';
import { type Members, members } from '../wire/members.ts';
import { readBody } from '../wire/read-body.ts';
import { refusal } from '../wire/refusal.ts';
import { camelCase } from './camel-case.ts';
import { geminiPath } from './gemini-path.ts';
import { hearContents } from './hear-contents.ts';
import { hearGeneration } from './hear-generation.ts';
import { kindOfPart } from './hear-parts.ts';

const known = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'cachedContent',
  'labels',
  'serviceTier',
  'store',
];

const hearSystem = (body: Members): readonly string[] => {
  if (!body.has('systemInstruction')) return [];
  const parts = body.object('systemInstruction').only(['role', 'parts']).list('parts');
  return parts.map((part) => {
    if (kindOfPart(part) !== 'text') throw refusal(part.at, 'system instructions are texts.');
    return part.text('text');
  });
};

const hearDeclaration = (declared: Members): Heard['tools'][number] => {
  declared.only([
    'name',
    'description',
    'behavior',
    'parameters',
    'parametersJsonSchema',
    'response',
    'responseJsonSchema',
  ]);
  const name = declared.text('name');
  if (!/^[A-Za-z_][\w.:-]{0,127}$/.test(name))
    throw refusal(`${declared.at}.name`, `is "${name}". Invalid function name.`);
  if (declared.has('parameters') && declared.has('parametersJsonSchema'))
    throw refusal(declared.at, 'parameters and parameters_json_schema are mutually exclusive.');
  const member = ['parameters', 'parametersJsonSchema'].find((each) => declared.has(each));
  return { name, schema: member === undefined ? {} : declared.json(member) };
};

const hearTools = (body: Members): Heard['tools'] => {
  if (!body.has('tools')) return [];
  return body
    .list('tools')
    .flatMap((tool) =>
      tool.has('functionDeclarations') ? tool.list('functionDeclarations').map(hearDeclaration) : [],
    );
};

const checkToolConfig = (body: Members): void => {
  if (!body.has('toolConfig')) return;
  const config = body
    .object('toolConfig')
    .only(['functionCallingConfig', 'retrievalConfig', 'includeServerSideToolInvocations']);
  if (!config.has('functionCallingConfig')) return;
  const calling = config
    .object('functionCallingConfig')
    .only(['mode', 'allowedFunctionNames', 'streamFunctionCallArguments']);
  const mode = calling.has('mode') ? calling.word('mode', ['AUTO', 'ANY', 'NONE', 'VALIDATED']) : 'AUTO';
  if (calling.has('allowedFunctionNames') && !['ANY', 'VALIDATED'].includes(mode))
    throw refusal(calling.at, 'allowed_function_names should only be set when the mode is ANY or VALIDATED.');
};

/** Parses the body with its members in camelCase. */
const geminiBody = (request: ReceivedRequest): Members => {
  const body = readBody(request, /:(?:streamG|g)enerateContent$/);
  return members(camelCase(Object.fromEntries(body.names.map((name) => [name, body.value(name)]))), '');
};

/** Parses a request as Google does: https://ai.google.dev/api/generate-content */
export const hearGemini = (request: ReceivedRequest): Heard => {
  const { model, isStream, isVertex } = geminiPath(request);
  const body = geminiBody(request).only(
    isVertex ? [...known, 'modelArmorConfig'] : known.filter((name) => name !== 'labels'),
  );
  const hearing = createHearing();
  hearContents(body.list('contents'), model, hearing);
  if (isVertex && [...hearing.calls, ...hearing.results].some(({ id }) => id !== ''))
    throw refusal('contents', 'Unknown name "id" at a function call or response: Cannot find field.');
  if (isVertex && body.list('contents').some((content) => !content.has('role')))
    throw refusal('contents', 'please use a valid role: user, model.');
  checkToolConfig(body);
  return {
    ...hearing,
    stream: isStream,
    model,
    system: hearSystem(body),
    tools: hearTools(body),
    ...hearGeneration(body, model),
  };
};
