import type { JsonObject } from '../../../schema/json/json.ts';
import { withSystemRoles } from '../shared/as-system.ts';
import { textSetting } from '../shared/text-setting.ts';

/** Returns the id of a deployment, if a model's name refers to one: `deployment/<id>`. */
export const deploymentId = (model: string | undefined): string | undefined => {
  const [, id] = /^deployment\/(.+)$/s.exec(model ?? '') ?? [];
  return id;
};

/** A deployment already belongs to a project or a space, and determines the model. */
const place = (model: string, settings: JsonObject): JsonObject => {
  if (deploymentId(model) !== undefined) return {};
  const [space, project] = [textSetting(settings, 'watsonx_space_id'), textSetting(settings, 'watsonx_project_id')];
  return {
    model_id: model,
    ...(project === undefined ? {} : { project_id: project }),
    ...(space === undefined || project !== undefined ? {} : { space_id: space }),
  };
};

/** A choice that is a word has a separate member. */
const toolChoice = (choice: JsonObject[string]): JsonObject =>
  typeof choice === 'string' ? { tool_choice_option: choice } : { tool_choice: choice ?? null };

/**
 * Returns a chat with watsonx's names: https://cloud.ibm.com/apidocs/watsonx-ai#text-chat. The path specifies whether it is
 * streamed, and streams report usage by default.
 */
export const watsonxBody = (body: JsonObject, settings: JsonObject): JsonObject => {
  const { model, stream: _, stream_options: __, tool_choice: choice, ...rest } = withSystemRoles(body);
  return {
    ...(typeof model === 'string' ? place(model, settings) : {}),
    ...rest,
    ...(choice === undefined ? {} : toolChoice(choice)),
  };
};
