import { ownProvider } from '../../../../schema/http/own-provider.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { headerValue } from '../../../sdk/http/http.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { withPlace } from '../../kernel/fairness/shared-pools.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import {
  forwardedReplies,
  objectSchema,
  ok,
  pageBody,
  text,
  textOrNull,
  titled,
} from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { receiveUpload, uploadPurposes } from '../files/arriving-upload.ts';
import { unknownFile } from '../files/create-files.ts';
import { contentHeaders, fileContent, fileSchema, filesQuery, fileView, toFilePage } from '../files/file-content.ts';
import type { StoredFile } from '../files/files.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import { accountHeaders } from '../provider-requests/account.ts';
import { withRefusals } from '../provider-requests/provider-refusal.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import { type AccountFiles, type AccountFilesParts, accountFiles, type FilesContext } from './account-files.ts';
import { passedFiles, sharedAccount } from './passed-files.ts';

const named = { type: 'string', minLength: 1 } as const;

/** The headers that choose where files are stored. */
const fileHeaders: ParameterSchema = {
  type: 'object',
  properties: {
    'x-gw-provider': {
      ...named,
      description: '`gw` for files that the gateway stores; otherwise the provider that stores them.',
    },
    'x-gw-virtual-key': { ...named, description: 'The slug of the virtual key in whose account the files are.' },
  },
};

/** The headers of an upload. */
const uploadHeaders: ParameterSchema = {
  type: 'object',
  properties: {
    ...fileHeaders.properties,
    [accountHeaders.fileName]: { ...named, description: 'The name of the file in the storage of a cloud.' },
    [accountHeaders.model]: {
      ...named,
      maxLength: 255,
      description: 'The model for the lines of a batch, if its provider requires lines in the format of a model.',
    },
    [accountHeaders.bedrockModel]: {
      ...named,
      maxLength: 255,
      description: 'The same, only for Bedrock, if x-gw-provider-model is absent.',
    },
    [accountHeaders.batchEndpoint]: { ...named, description: 'The endpoint of these lines: /v1/chat/completions.' },
    [accountHeaders.uploadSize]: {
      ...named,
      description: 'The size of the file in bytes, if its provider requires it before the upload.',
    },
    [accountHeaders.s3Bucket]: { ...named, description: 'The bucket of Amazon S3 that stores the file.' },
    [accountHeaders.s3Key]: { ...named, description: 'The key of the object in that bucket.' },
    [accountHeaders.gcsBucket]: { ...named, description: 'The bucket of Google Cloud Storage that stores the file.' },
    [accountHeaders.encryption]: { ...named, description: 'How S3 encrypts it: AES256, aws:kms or aws:kms:dsse.' },
    [accountHeaders.encryptionKey]: { ...named, description: 'The key of AWS KMS for that.' },
  },
};

/** The form of an upload: https://platform.openai.com/docs/api-reference/files/create */
const uploadForm: JsonObject = {
  type: 'object',
  required: ['purpose', 'file'],
  properties: {
    purpose: { type: 'string', enum: [...uploadPurposes] },
    'expires_after[anchor]': { type: 'string', const: 'created_at' },
    'expires_after[seconds]': { type: 'integer', description: 'How long the file is stored.' },
    file: { type: 'string', format: 'binary' },
  },
};

/**
 * Opens the files of the provider that a request names. Rejects with the `GatewayError` `invalid-input` if there is no such
 * provider.
 */
const providerFiles = async (parts: AccountFilesParts, context: FilesContext): Promise<AccountFiles> => {
  const account = await sharedAccount(context, async () => (await parts.readView(context.tenant)).saved);
  const files = account?.name === undefined ? undefined : await accountFiles(parts, context, account.name);
  return files ?? passedFiles({ parts, context, account });
};

const scope = 'completions.write';

/** Checks whether a request is for the gateway's own files. */
const isForUs = ({ headers }: RouteContext): boolean => headerValue(headers, 'x-gw-provider') === ownProvider;

/** Checks whether a file is one of the gateway's own, or is looked for there. */
const isOurs = (id: string, context: RouteContext): boolean => isOwnFile(id) || isForUs(context);

const pageSchema: ParameterSchema = titled(
  'FileList',
  objectSchema({
    object: { const: 'list' },
    data: { type: 'array', items: fileSchema },
    has_more: { type: 'boolean' },
    first_id: textOrNull,
    last_id: textOrNull,
  }),
);

const deletedSchema = titled(
  'DeletedFile',
  objectSchema({ id: text, object: { const: 'file' }, deleted: { const: true } }),
);

/** The routes of files: those that the gateway stores, and those of providers. */
export const fileRoutes = (parts: WorkParts): readonly ControlRoute[] => {
  const { files, fileLimits, pools } = parts;
  const theirs = (context: RouteContext) => providerFiles(parts, context);

  const found = async (context: RouteContext, id: string): Promise<StoredFile> => {
    const file = await files.find(resolveWorkspace(context, scope).tenant, id);
    if (file === undefined) throw unknownFile(id);
    return file;
  };

  return withRefusals([
    defineRoute({
      method: 'POST',
      path: '/files',
      operationId: 'create_file',
      summary:
        'Stores a file that is sent as multipart/form-data: at the gateway with x-gw-provider: gw, otherwise at the provider that the headers name.',
      scope,
      shared: true,
      headers: uploadHeaders,
      body: 'bytes',
      form: uploadForm,
      replies: { 200: [fileSchema, 'bytes'], default: forwardedReplies },
      handle: async ({ received }, context) => {
        if (!isForUs(context)) return (await theirs(context)).create(received);
        const { tenant } = resolveWorkspace(context, scope);
        const upload = { tenant, createdBy: context.principal.keyId, received, maxBytes: fileLimits.maxBytes };
        const claimant = { tenant, cancellation: context.cancellation };
        return ok(fileView(await withPlace(pools.fileTransfers, claimant, () => receiveUpload(files, upload))));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/files',
      operationId: 'list_files',
      summary:
        'Lists the files of the gateway with x-gw-provider: gw, otherwise those of the provider that the headers name.',
      scope,
      shared: true,
      headers: fileHeaders,
      query: filesQuery,
      replies: { 200: [pageSchema, 'bytes'], default: forwardedReplies },
      handle: async ({ query }, context) => {
        if (!isForUs(context)) return (await theirs(context)).list(query);
        const { files: page, hasMore } = await files.list(resolveWorkspace(context, scope).tenant, toFilePage(query));
        return ok(pageBody(page.map(fileView), hasMore));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/files/{id}',
      operationId: 'get_file',
      summary: 'Returns a file, without its bytes.',
      scope,
      shared: true,
      headers: fileHeaders,
      replies: { 200: [fileSchema, 'bytes'], default: forwardedReplies },
      handle: async ({ params: { id } }, context) =>
        isOurs(id, context) ? ok(fileView(await found(context, id))) : (await theirs(context)).get(id),
    }),
    defineRoute({
      method: 'GET',
      path: '/files/{id}/content',
      operationId: 'get_file_content',
      summary: 'Returns the bytes of a file, or a range of them.',
      scope,
      shared: true,
      headers: fileHeaders,
      replies: { 200: 'bytes', 206: 'bytes', default: forwardedReplies },
      replyHeaders: contentHeaders,
      handle: async ({ params: { id } }, context) =>
        isOurs(id, context)
          ? fileContent(parts, await found(context, id), context)
          : (await theirs(context)).content(id),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/files/{id}',
      operationId: 'delete_file',
      summary: 'Deletes a file, unless a job is reading it.',
      scope,
      shared: true,
      headers: fileHeaders,
      replies: { 200: [deletedSchema, 'bytes'], default: forwardedReplies },
      handle: async ({ params: { id } }, context) => {
        if (!isOurs(id, context)) return (await theirs(context)).remove(id);
        if (!(await files.remove(resolveWorkspace(context, scope).tenant, id))) throw unknownFile(id);
        return ok({ id, object: 'file', deleted: true });
      },
    }),
  ]);
};
