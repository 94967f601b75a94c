import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** A message of the role `developer`, which only OpenAI's services know, as one of the role `system`. */
export const asSystem = (message: Json): Json =>
  isJsonObject(message) && message.role === 'developer' ? { ...message, role: 'system' } : message;

/** A chat body whose instructions all have the role `system`. */
export const withSystemRoles = (body: JsonObject): JsonObject =>
  Array.isArray(body.messages) ? { ...body, messages: body.messages.map(asSystem) } : body;
