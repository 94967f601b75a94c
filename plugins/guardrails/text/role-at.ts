import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer } from '../../../schema/json/pointer.ts';

const findMember = (value: Json | undefined, token: string): Json | undefined => {
  if (Array.isArray(value)) return value[Number(token)];
  return isJsonObject(value) ? lookUp(value, token) : undefined;
};

/** Returns who wrote the text at a place of a request: the role of its message, or `user` if the format has no roles there. */
export const roleAt = (body: JsonObject, at: JsonPointer): string => {
  let role = 'user';
  let value: Json | undefined = body;
  for (const token of fromPointer(at)) {
    value = findMember(value, token);
    if (isJsonObject(value) && typeof value.role === 'string') role = value.role;
  }
  return role;
};
