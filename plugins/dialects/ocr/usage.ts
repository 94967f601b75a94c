import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject, toObjects } from '../../../schema/json/loose.ts';
import type { MemberSelection } from '../../sdk/dialect/member-selection.ts';

/**
 * Whether pages were annotated, because a document or an image in it was. They have a separate price: https://mistral.ai/pricing
 */
const isAnnotated = ({ document_annotation: ofDocument, pages }: JsonObject): boolean => {
  const ofImages = toObjects(pages).flatMap(({ images }) => toObjects(images).map((each) => each.image_annotation));
  return [ofDocument, ...ofImages].some((annotation) => annotation !== undefined && annotation !== null);
};

/** https://docs.mistral.ai/api/endpoint/ocr: pages are counted, but not tokens. */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const page = findNumber(findObject(wire.usage_info)?.pages_processed);
  if (page === undefined) return undefined;
  return { input: 0, output: 0, calls: { page, ...(isAnnotated(wire) ? { annotated_page: page } : {}) } };
};

/** All members of an answer that `findUsage` reads. */
export const metered: MemberSelection = {
  usage_info: true,
  document_annotation: true,
  pages: [{ images: [{ image_annotation: true }] }],
};
