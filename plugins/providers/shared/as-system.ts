import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { Provider } from '../../sdk/provider/provider.ts';

/** A message of the role `developer`, which only OpenAI's services know, as one of the role `system`. */
export const asSystem = (message: Json): Json =>
  isJsonObject(message) && message.role === 'developer' ? { ...message, role: 'system' } : message;

/** The `adaptsMarked` of a provider that does not know the role, where its clients may write it. */
export const developerMarks: NonNullable<Provider['adaptsMarked']> = { chat: ['"developer"'] };

/** A chat body whose instructions all have the role `system`. */
export const withSystemRoles = (body: JsonObject): JsonObject =>
  Array.isArray(body.messages) ? { ...body, messages: body.messages.map(asSystem) } : body;
