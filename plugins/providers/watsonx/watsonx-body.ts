import type { JsonObject } from '../../../schema/json/json.ts';
import { withSystemRoles } from '../shared/as-system.ts';
import { textSetting } from '../shared/text-setting.ts';

/** The id of a deployment, where a model's name is one: `deployment/<id>`. */
export const deploymentId = (model: string | undefined): string | undefined => {
  const [, id] = /^deployment\/(.+)$/s.exec(model ?? '') ?? [];
  return id;
};

/** A deployment belongs to a project or a space already, and names the model itself. */
const place = (model: string, settings: JsonObject): JsonObject => {
  if (deploymentId(model) !== undefined) return {};
  const [space, project] = [textSetting(settings, 'watsonx_space_id'), textSetting(settings, 'watsonx_project_id')];
  return {
    model_id: model,
    ...(project === undefined ? {} : { project_id: project }),
    ...(space === undefined || project !== undefined ? {} : { space_id: space }),
  };
};

/** A choice that is a word has a member of its own. */
const toolChoice = (choice: JsonObject[string]): JsonObject =>
  typeof choice === 'string' ? { tool_choice_option: choice } : { tool_choice: choice ?? null };

/**
 * A chat as watsonx names its parts: https://cloud.ibm.com/apidocs/watsonx-ai#text-chat. Whether it is streamed is said by the
 * path, and streams report usage without being asked.
 */
export const watsonxBody = (body: JsonObject, settings: JsonObject): JsonObject => {
  const { model, stream: _, stream_options: __, tool_choice: choice, ...rest } = withSystemRoles(body);
  return {
    ...(typeof model === 'string' ? place(model, settings) : {}),
    ...rest,
    ...(choice === undefined ? {} : toolChoice(choice)),
  };
};
