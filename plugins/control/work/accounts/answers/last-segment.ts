import type { Json } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';

/** The end of a name with slashes, such as an ARN or the name of a resource. */
export const lastSegment = (name: Json | undefined): string => findText(name)?.split('/').at(-1) ?? '';
