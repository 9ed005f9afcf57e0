import {
  type BaseTool,
  type Context,
  type FunctionToolParams,
  type LlmRequest,
  type ParametersSchema,
  type ReadonlyContext,
  type ToolArguments,
} from '@skein/engine';

// Of @google/adk: names of what ours are called otherwise, or need no name.
export type ToolInputParameters = ParametersSchema | undefined;
export type ToolExecuteArgument<T extends ToolInputParameters> = ToolArguments<T>;
export type ToolExecuteFunction<T extends ToolInputParameters> = FunctionToolParams<T>['execute'];
export type RequireConfirmation<T extends ToolInputParameters> = NonNullable<
  FunctionToolParams<T>['requireConfirmation']
>;
export type ToolPredicate = (tool: BaseTool, readonlyContext: ReadonlyContext) => boolean;
export type SchemaLike = ParametersSchema;

export interface ToolProcessLlmRequest {
  toolContext: Context;
  llmRequest: LlmRequest;
}

/** What a human is asked before a tool runs, and what they decided. */
export class ToolConfirmation {
  hint: string;
  confirmed: boolean;
  payload?: unknown;

  constructor({ hint, confirmed, payload }: { hint?: string; confirmed: boolean; payload?: unknown }) {
    this.hint = hint ?? '';
    this.confirmed = confirmed;
    this.payload = payload;
  }
}

/** Which field of an AuthCredential is filled. */
export enum AuthCredentialTypes {
  API_KEY = 'apiKey',
  HTTP = 'http',
  OAUTH2 = 'oauth2',
  OPEN_ID_CONNECT = 'openIdConnect',
  SERVICE_ACCOUNT = 'serviceAccount',
}
