/* What workers ask about a call that they have. */

export { type AgainCall, againCallSchema, type AgainVerdict, againVerdictSchema } from './again-call';
export { callPassSchema, callRequestSchema, type CallPass } from './call-request';
export {
  returnCallSchema,
  returnedCallSchema,
  type ReturnCall,
  type ReturnedCall,
  type ReturnReason,
} from './returned-call';
export { askServedSchema, toolServedSchema, type AskServed, type ToolServed } from './tool-served';
export {
  beginToolSchema,
  begunToolSchema,
  databaseClockSchema,
  type BeginTool,
  type BegunTool,
  type DatabaseClock,
} from './tool-begin';
export {
  askStoredSchema,
  storedVerdictSchema,
  TOLD_STORED_WITHIN_MS,
  type AskStored,
  type StoredVerdict,
} from './stored-call';
