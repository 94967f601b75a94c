import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError } from '../chat/parts/encode-error.ts';

/** The declaration of OpenAI's edits of images. */
export const editsDeclaration: DialectDeclaration = {
  id: 'image-edits',
  operation: 'image',
  routes: [
    {
      path: '/images/edits',
      hasForms: true,
      operationId: 'create_image_edit',
      summary: "Edits an image according to a prompt, in the form of OpenAI's edits.",
    },
    {
      path: '/openai/deployments/{model}/images/edits',
      hasForms: true,
      modelInBody: true,
      operationId: 'azure_create_image_edit',
      summary: 'The same, for a deployment of Azure OpenAI.',
    },
  ],
  passesThrough: true,
  encodeError,
};

/** The declaration of OpenAI's variations of images. */
export const variationsDeclaration: DialectDeclaration = {
  id: 'image-variations',
  operation: 'image',
  routes: [
    {
      path: '/images/variations',
      hasForms: true,
      operationId: 'create_image_variation',
      summary: "Creates a variation of an image, in the form of OpenAI's variations.",
    },
  ],
  passesThrough: true,
  encodeError,
};
