import type { Provider } from '../sdk/provider/provider.ts';
import { oracle } from './oracle/oracle.ts';
import { sagemaker } from './sagemaker/sagemaker.ts';
import { watsonx } from './watsonx/watsonx.ts';

/** Services with an account or an API of their own that few configs have, each in a folder of its name; sorted by id. */
export const lateProtocols: readonly Provider[] = [oracle, sagemaker, watsonx];
