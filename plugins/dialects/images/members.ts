import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { all, facts, list, media, object, refused, structural, text } from '../shared/checked-texts/members.ts';
import { prompt } from '../shared/checked-texts/prompt-member.ts';

/**
 * https://platform.openai.com/docs/api-reference/images/create, and what services with the same format add, such as xAI,
 * DeepInfra and Recraft. Text inside an image cannot be read, so an answer with images cannot be judged, whatever text is beside
 * them.
 */
export const members: DialectMembers = {
  request: object({
    prompt,
    negative_prompt: text(),
    ...all('image images mask image_url image_urls input_image reference_images', media),
    ...all(
      `model n size quality style background moderation output_format output_compression response_format partial_images
      input_fidelity stream user safety_identifier seed steps num_inference_steps guidance_scale cfg_scale width height
      aspect_ratio resolution complexity frame_count frame_duration_ms image_size batch_size style_id style_preset
      disable_safety_checker sync_mode sampler scheduler`,
      structural,
    ),
    ...all('svg metadata provider controls image_loras loras', facts),
  }),
  answer: object({
    data: list(
      object({
        ...all('b64_json url', refused),
        revised_prompt: text(),
        ...all('index type object mime_type media_type image_id', structural),
      }),
    ),
    ...all(
      'id object created created_at model provider background output_format quality size safety_identifier',
      structural,
    ),
    ...all('usage svg_usage timings', facts),
  }),
};
