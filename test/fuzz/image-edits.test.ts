import { imageEdits } from '../../plugins/dialects/image-forms/image-forms.ts';
import { fuzzDialect } from './support/fuzz-dialect.ts';

fuzzDialect(imageEdits);
