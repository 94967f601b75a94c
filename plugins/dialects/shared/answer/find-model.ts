import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';

/** Returns the model that an answer or a chunk names in its member `model`. */
export const findModel = ({ model }: JsonObject): string | undefined => findText(model);
