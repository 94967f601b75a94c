import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import type { Provider } from '../../sdk/provider/provider.ts';

/** Converts a message of the role `developer`, which only OpenAI's services know, to one of the role `system`. */
export const asSystem = (message: Json): Json =>
  isJsonObject(message) && message.role === 'developer' ? { ...message, role: 'system' } : message;

/** The `adaptsMarked` of a provider that does not know the role, although its clients may use it. */
export const developerMarks: NonNullable<Provider['adaptsMarked']> = { chat: ['"developer"'] };

/** Returns a chat body in which all instructions have the role `system`. */
export const withSystemRoles = (body: JsonObject): JsonObject =>
  Array.isArray(body.messages) ? { ...body, messages: body.messages.map(asSystem) } : body;

/** Does the same for bodies of chats, and returns others unchanged. */
export const chatWithSystemRoles = (body: JsonObject, dialect: string): JsonObject =>
  dialect === 'chat' ? withSystemRoles(body) : body;
