import type { DialectDeclaration } from '../../sdk/dialect/dialect.ts';
import { encodeError as chatError } from '../chat/parts/encode-error.ts';
import { encodeError as converseError } from '../converse/parts/encode-error.ts';
import { encodeError as googleError } from '../gemini/parts/encode-error.ts';

// None of these has a route: requests of a provider's own clients are passed through.

/** The declaration of Google's images, from Imagen and Gemini. */
export const googleDeclaration: DialectDeclaration = {
  id: 'google-images',
  operation: 'image',
  encodeError: googleError,
};

/** The declaration of Amazon Bedrock's images. */
export const bedrockDeclaration: DialectDeclaration = {
  id: 'bedrock-images',
  operation: 'image',
  encodeError: converseError,
};

/** The declaration of Fireworks' images. */
export const fireworksDeclaration: DialectDeclaration = {
  id: 'fireworks-images',
  operation: 'image',
  encodeError: chatError,
};

/** The declaration of SiliconFlow's images. */
export const siliconflowDeclaration: DialectDeclaration = {
  id: 'siliconflow-images',
  operation: 'image',
  encodeError: chatError,
};

/** The declaration of Stability's images. */
export const stabilityDeclaration: DialectDeclaration = {
  id: 'stability-images',
  operation: 'image',
  encodeError: chatError,
};
